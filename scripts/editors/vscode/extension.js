// Starts `wsevm lsp` for .wsa files; two commands. All else is in the server.
"use strict";
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function settings() {
  const all = vscode.workspace.getConfiguration("wsevm");
  return {
    machine: all.get("machine"), values: all.get("values"), include: all.get("include"),
    profile: all.get("profile"), commands: ["wsevm.run"],
  };
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

// The arguments come from the server's lens; without them they are those of the settings.
function runProgram(given) {
  const editor = vscode.window.activeTextEditor;
  if (!Array.isArray(given) && !editor) return;
  const { machine, values, include } = settings();
  const terminal = vscode.window.createTerminal({
    name: "wsevm",
    shellPath: vscode.workspace.getConfiguration("wsevm").get("path"),
    shellArgs: Array.isArray(given) ? given : [
      "run", editor.document.fileName, "--expect", "--stats", `--machine=${machine}`,
      ...Object.entries(values).map(([name, value]) => `${name}=${value}`),
      ...include.map((folder) => `-I${folder}`),
    ],
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
