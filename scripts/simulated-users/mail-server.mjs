import { SMTPServer } from "smtp-server";

/** Accepts every mail and records its Message-ID; sometimes slowly. */
export async function startMailServer() {
  const deliveries = new Map();
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    onData(stream, _session, answer) {
      let head = "";
      stream.on("data", (chunk) => (head += chunk.toString("latin1")));
      stream.on("end", () => {
        const key = /^message-id: <([^@<>\n]+)@/im.exec(head)?.[1] ?? "none";
        deliveries.set(key, (deliveries.get(key) ?? 0) + 1);
        setTimeout(answer, deliveries.size % 10 === 0 ? 1000 : 20);
      });
    },
  });
  await new Promise((resolve) => smtp.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = smtp.server.address();
  return {
    url: `smtp://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    deliveries,
    stop: () => new Promise((resolve) => smtp.close(() => resolve(undefined))),
  };
}
