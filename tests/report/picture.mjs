// picture.mjs BROWSER PAGE.html STATE WIDTH FILE.png: what a page shows in a state ("map=busy&t=12"), from its title to the
// legend of its maps, as a picture.
import {writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

import {Browser} from "./devtools.mjs";

const [executable, page, state, width, file] = process.argv.slice(2);
const browser = new Browser(executable, {width: Number(width), height: 900});
const messages = [];
try {
  await browser.open(`${pathToFileURL(page).href}#${state}`, messages);
  const bottom = await browser.evaluate(`document.getElementById("legend").getBoundingClientRect().bottom + window.scrollY`);
  const right = await browser.evaluate(`document.documentElement.clientWidth`);
  writeFileSync(file, await browser.screenshot({x: 0, y: 0, width: right, height: Math.ceil(bottom) + 12, scale: 1}));
} finally {
  await browser.close();
}
for (const message of messages) console.log(message);
process.exit(messages.length === 0 ? 0 : 1);
