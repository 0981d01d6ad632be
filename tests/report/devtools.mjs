// A browser without a window, driven over a pipe by the DevTools protocol: no package but the browser
// and Node. Must never let the browser reach a network: every request but the page's own file fails
// the test; `local` lets it reach servers of this machine.
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

function descriptionOf(details) { return details.exception?.description ?? details.text; }

export class Browser {
  constructor(executable, {dark = false, local = false, width = 1200, height = 900} = {}) {
    this.folder = mkdtempSync(join(tmpdir(), "wsevm-browser-"));
    const options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--remote-debugging-pipe", "--disable-background-networking", "--no-first-run",
                     `--host-resolver-rules=MAP * ~NOTFOUND${local ? ", EXCLUDE 127.0.0.1" : ""}`, `--user-data-dir=${this.folder}`, `--window-size=${width},${height}`];
    if (dark) options.push("--blink-settings=preferredColorScheme=0");
    this.child = spawn(executable, options, {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
    this.waiting = new Map();
    this.listeners = [];
    this.next = 1;
    this.rest = "";
    this.child.stdio[4].setEncoding("utf8").on("data", text => this.take(text));
    this.child.on("error", error => this.fail(error));
    this.child.on("exit", code => this.fail(new Error(`the browser ended with ${code}`)));
  }

  fail(error) {
    for (const {reject} of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  take(text) {
    const messages = (this.rest + text).split("\0");
    this.rest = messages.pop();
    for (const message of messages.map(one => JSON.parse(one))) {
      const waiting = this.waiting.get(message.id);
      if (!waiting) {
        for (const listen of this.listeners) listen(message);
        continue;
      }
      this.waiting.delete(message.id);
      if (message.error) waiting.reject(new Error(message.error.message));
      else waiting.resolve(message.result);
    }
  }

  send(method, params = {}) {
    const id = this.next++;
    this.child.stdio[3].write(JSON.stringify({id, method, params, sessionId: this.session}) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject}));
  }

  // Opens a page; `messages` gets what it says on the console, its errors and what it asks for.
  async open(url, messages) {
    const kinds = {
      "Runtime.consoleAPICalled": ({args}) => `console: ${args.map(arg => arg.value).join(" ")}`,
      "Runtime.exceptionThrown": ({exceptionDetails}) => `exception: ${descriptionOf(exceptionDetails)}`,
      "Log.entryAdded": ({entry}) => `log: ${entry.text}`,
      "Network.requestWillBeSent": ({request}) => request.url.startsWith("file:") ? null : `request: ${request.url}`,
    };
    this.listeners = [({method, params}) => {
      const message = kinds[method]?.(params) ?? null;
      if (message !== null) messages.push(message);
    }];
    this.session = undefined;
    const {targetId} = await this.send("Target.createTarget", {url: "about:blank"});
    this.session = (await this.send("Target.attachToTarget", {targetId, flatten: true})).sessionId;
    for (const domain of ["Runtime", "Log", "Network", "Page"]) await this.send(`${domain}.enable`);
    await this.send("Page.navigate", {url});
    await this.until(`document.documentElement?.dataset.ready === "true"`);
  }

  async evaluate(expression) {
    const {result, exceptionDetails} = await this.send("Runtime.evaluate", {
      expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails) throw new Error(descriptionOf(exceptionDetails));
    return result.value;
  }

  // Waits for a condition on the page, half a minute at most.
  async until(condition) {
    for (let turn = 0; turn < 600; ++turn) {
      if (await this.evaluate(condition)) return;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    throw new Error(`this never held: ${condition}`);
  }

  async click(x, y) {
    for (const type of ["mouseMoved", "mousePressed", "mouseReleased"]) {
      const button = type === "mouseMoved" ? "none" : "left";
      await this.send("Input.dispatchMouseEvent", {type, x, y, button, clickCount: 1});
    }
  }

  async press(key, text = key.length === 1 ? key : undefined) {
    await this.send("Input.dispatchKeyEvent", {type: "keyDown", key, text});
    await this.send("Input.dispatchKeyEvent", {type: "keyUp", key});
  }

  // Returns a picture of the page, or of a part of it: {x, y, width, height, scale} in its pixels.
  async screenshot(clip = undefined) {
    const {data} = await this.send("Page.captureScreenshot", {format: "png", captureBeyondViewport: true, clip});
    return Buffer.from(data, "base64");
  }

  async close() {
    this.listeners = [];
    const ended = new Promise(resolve => this.child.on("exit", resolve));
    this.session = undefined;
    await this.send("Browser.close").catch(() => this.child.kill("SIGKILL"));
    await ended;
    rmSync(this.folder, {recursive: true, force: true, maxRetries: 5});
  }
}
