// VS Code's own server and workbench, in a browser without a window: started, typed into, looked at. Must never reach
// a network but the server on this machine.
import {spawn} from "node:child_process";
import {mkdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";

import {Browser} from "../../report/devtools.mjs";

const kCodes = {a: "KeyA", " ": "Space"};
const kKeyCodes = {Enter: 13, Escape: 27, ArrowDown: 40, Home: 36, F1: 112, a: 65, " ": 32};

// Settings with which a workbench asks for nothing and shows one file.
const kSettings = {
  "security.workspace.trust.enabled": false, "workbench.startupEditor": "none", "telemetry.telemetryLevel": "off",
  "editor.minimap.enabled": false, "workbench.layoutControl.enabled": false, "workbench.tips.enabled": false,
  "editor.hover.delay": 100, "window.commandCenter": false, "editor.acceptSuggestionOnEnter": "off",
};

// Starts VS Code's server with the extensions of a folder. Returns it with its port, and what it says.
export async function startServer(folder, scratch, settings) {
  for (const place of ["data/User", "data/Machine", "User"]) {
    mkdirSync(join(scratch, "data", place), {recursive: true});
    writeFileSync(join(scratch, "data", place, "settings.json"), JSON.stringify({...kSettings, ...settings}));
  }
  mkdirSync(join(scratch, "data/data/logs"), {recursive: true});
  const child = spawn(process.execPath, [
    join(folder, "out/server-main.js"), "--host=127.0.0.1", "--port=0", "--without-connection-token",
    "--accept-server-license-terms", `--server-data-dir=${scratch}/data`, `--extensions-dir=${scratch}/extensions`,
    "--telemetry-level=off", "--disable-workspace-trust"], {stdio: ["ignore", "pipe", "pipe"], env: {...process.env, HOME: scratch}});
  let said = "";
  const port = await new Promise((resolve, reject) => {
    const take = text => {
      said += text;
      const found = /agent listening on (\d+)/.exec(said);
      if (found) resolve(Number(found[1]));
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.on("exit", code => reject(new Error(`VS Code's server ended with ${code}: ${said.slice(-800)}`)));
  });
  return {child, port, said: () => said};
}

export class Workbench extends Browser {
  // Opens a file of a folder, and waits until an editor shows it.
  async show(port, folder, file) {
    const {targetId} = await this.send("Target.createTarget", {url: "about:blank"});
    this.session = (await this.send("Target.attachToTarget", {targetId, flatten: true})).sessionId;
    for (const domain of ["Runtime", "Page"]) await this.send(`${domain}.enable`);
    const payload = JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${port}${file}`]]);
    await this.send("Page.navigate", {
      url: `http://127.0.0.1:${port}/?folder=${folder}&payload=${encodeURIComponent(payload)}`});
    await this.until(`document.querySelector(".view-lines .view-line") !== null`);
  }

  async key(key, modifiers = 0) {
    const parameters = {key, code: kCodes[key] ?? key, windowsVirtualKeyCode: kKeyCodes[key], modifiers};
    await this.send("Input.dispatchKeyEvent", key === "Enter" ? {type: "keyDown", text: "\r", ...parameters} : {type: "rawKeyDown", ...parameters});
    await this.send("Input.dispatchKeyEvent", {type: "keyUp", ...parameters});
    await this.pause(150);
  }

  async type(text) {
    await this.send("Input.insertText", {text});
    await this.pause(150);
  }

  // A picture of the window as it is: a larger one would close menus.
  async screenshot() {
    return Buffer.from((await this.send("Page.captureScreenshot", {format: "png"})).data, "base64");
  }

  pause(milliseconds) { return new Promise(resolve => setTimeout(resolve, milliseconds)); }

  // Executes a command by its title, as with F1.
  async command(title) {
    await this.key("F1");
    await this.until(`document.querySelector(".quick-input-widget input")?.value === ">"`);
    await this.type(title);
    const first = `document.querySelector(".quick-input-list .monaco-list-row[data-index='0']")?.innerText ?? ""`;
    await this.until(`${first}.includes(${JSON.stringify(title)})`);
    await this.key("Enter");
  }

  // Puts the cursor at a line and a column, counted from 1.
  async goTo(line, column) {
    await this.command("Go to Line/Column");
    await this.until(`document.querySelector(".quick-input-widget input")?.value.startsWith(":")`);
    await this.type(`${line}:${column}`);
    await this.key("Enter");
    await this.pause(300);
  }

  // Returns the texts of all elements that a selector finds, with plain spaces.
  async texts(selector) {
    return (await this.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map(one => one.textContent)`))
      .map(text => text.replace(/\u00a0/g, " "));
  }

  async untilText(selector, words) {
    const found = `[...document.querySelectorAll(${JSON.stringify(selector)})]
      .some(one => one.textContent.replace(/\\u00a0/g, " ").includes(${JSON.stringify(words)}))`;
    await this.until(found);
  }
}
