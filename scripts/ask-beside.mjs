/** A process that reads quiet pages as another person, so that the sender's own work is not measured. */
import http from "node:http";

const PAUSE_MS = 5;
const LIMIT_MS = 120_000;

/** @type {{ isDone: boolean } | undefined} */
let current;

process.on("message", (/** @type {any} */ asked) => {
  if (asked === "stop") {
    if (current) current.isDone = true;
    return;
  }
  current = { isDone: false };
  void readUntilDone(asked, current).then((answer) => process.send?.(answer));
});
process.on("disconnect", () => process.exit());

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** Reads pages in a loop until stopped; returns their milliseconds and the answers other than 200. */
async function readUntilDone({ pages }, run) {
  const times = [];
  const failed = [];
  for (let at = 0; !run.isDone || at < pages.length; at += 1) {
    const page = pages[at % pages.length];
    const begun = performance.now();
    const status = await read(page).catch((error) => String(error));
    times.push(performance.now() - begun);
    if (status !== 200) failed.push(`${page.url}: ${status}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return { times, failed };
}

function read({ url, headers }) {
  return new Promise((resolve, reject) => {
    const sent = http.get(url, { agent, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode));
      answer.once("error", reject);
    });
    sent.setTimeout(LIMIT_MS, () => sent.destroy(new Error("no answer within two minutes")));
    sent.once("error", reject);
  });
}
