// Starts `wsevm lsp` for .wsa files; two commands. All else is in the server.
"use strict";
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function settings() {
  const all = vscode.workspace.getConfiguration("wsevm");
  return { machine: all.get("machine"), values: all.get("values"), include: all.get("include") };
}

async function start() {
  const command = vscode.workspace.getConfiguration("wsevm").get("path");
  client = new LanguageClient(
    "wsevm",
    "wsevm",
    { command, args: ["lsp"] },
    { documentSelector: [{ language: "wsa" }], initializationOptions: settings() }
  );
  await client.start();
}

function runProgram() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const terminal = vscode.window.createTerminal({
    name: "wsevm",
    shellPath: vscode.workspace.getConfiguration("wsevm").get("path"),
    shellArgs: ["run", editor.document.fileName, `--machine=${settings().machine}`,
                "--expect", "--stats"],
  });
  terminal.show();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("wsevm.run", runProgram),
    vscode.commands.registerCommand("wsevm.restart", async () => {
      if (client) await client.stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!client || !event.affectsConfiguration("wsevm")) return;
      client.sendNotification("workspace/didChangeConfiguration", { settings: { wsevm: settings() } });
    })
  );
  await start();
};

exports.deactivate = () => (client ? client.stop() : undefined);
