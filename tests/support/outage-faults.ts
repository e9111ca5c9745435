import type { LineFault } from "./peers/faulty-line";
import type { LineName, OutagesPortal } from "./portals/outages-portal";

/**
 * `waits`: no message was handed over. `in doubt`: at least one may have been. `either`: depends on how much the
 * operating system had buffered when the connection was cut.
 */
export type FaultEnd = "waits" | "in doubt" | "either";

export interface Fault {
  end: FaultEnd;
  /** Delays messages without failing any. */
  isHarmless?: true;
  begin(outages: OutagesPortal): void | Promise<void>;
}

const waits = (begin: Fault["begin"]): Fault => ({ end: "waits", begin });
const doubtful = (begin: Fault["begin"]): Fault => ({ end: "in doubt", begin });
const onLine = (name: LineName, fault: LineFault) => waits(({ lines }) => lines[name].is(fault));

/** Faults of any connection, whatever its protocol. */
const faultsOfLine = (name: LineName): Record<string, Fault> => ({
  "refuses the connection": onLine(name, { kind: "refused" }),
  "resets the connection at once": onLine(name, { kind: "cut at once" }),
  "is silent": onLine(name, { kind: "silent" }),
  "is slow": { ...onLine(name, { kind: "slow", delayMs: 60 }), isHarmless: true },
});
const breaksTls = (name: LineName) => ({ "breaks the encryption": onLine(name, { kind: "breaks TLS" }) });

const never = () => new Promise<void>(() => undefined);
const smsAnswers = (status: number) =>
  (({ peers }) => {
    peers.gatewayApi.refuse = { status, body: {} };
  }) satisfies Fault["begin"];

/** SFTP: names and half of the bytes are known, so nothing is in doubt. */
const sftpFaults = (name: "letters" | "edi", bytes: number): Record<string, Fault> => ({
  "is cut in the middle of a file": onLine(name, { kind: "cut after", bytes }),
  "is cut when the file has its name": waits((outages) => {
    const before = outages.filesAt(name);
    return outages.lines[name].is({ kind: "cut the answer", isDone: () => outages.filesAt(name) > before });
  }),
  "refuses the login": waits(({ peers, lines }) => {
    peers.netsShare.server.letIn(false);
    lines[name].hangUp();
  }),
  ...breaksTls(name),
  ...faultsOfLine(name),
});

/**
 * Faults of each connection. `npm run test:matrix` plays the first on SQLite with `serve` and the second on MariaDB with `worker`;
 * `npm run soak -- --fuzz 10000` plays all on all four.
 */
export const faults: Record<LineName, Record<string, Fault>> = {
  email: {
    "is cut before it answers that it has a mail": doubtful(({ peers }) => void (peers.smtp.afterData = "close")),
    "is cut in the middle of a mail": { ...onLine("email", { kind: "cut after", bytes: 70_000 }), end: "either" },
    "says nothing more when it has a mail": doubtful(({ peers }) => void (peers.smtp.holdAfterData = never)),
    "is cut among the commands": onLine("email", { kind: "cut after", bytes: 800 }),
    "answers 451 to each receiver": waits(
      ({ peers }) => void (peers.smtp.refuseRecipient = { code: 451, text: "4.7.1 later" }),
    ),
    "answers 421 to each receiver": waits(
      ({ peers }) => void (peers.smtp.refuseRecipient = { code: 421, text: "4.3.2 closing" }),
    ),
    ...breaksTls("email"),
    ...faultsOfLine("email"),
  },
  sms: {
    "answers 500": doubtful(smsAnswers(500)),
    ...breaksTls("sms"),
    "is cut in the middle of a message": doubtful(({ lines }) => lines.sms.is({ kind: "cut after", bytes: 1_200 })),
    "is cut before it answers that it has a message": doubtful(
      ({ peers }) => void (peers.gatewayApi.afterTaking = "close"),
    ),
    "says nothing more when it has a message": doubtful(({ peers }) => void (peers.gatewayApi.afterTaking = "hang")),
    "answers 429": waits(smsAnswers(429)),
    "answers 502": doubtful(smsAnswers(502)),
    "answers 503": waits(smsAnswers(503)),
    "answers 504": doubtful(smsAnswers(504)),
    ...faultsOfLine("sms"),
  },
  letters: sftpFaults("letters", 18_000),
  edi: sftpFaults("edi", 60_000),
  archive: {
    "is cut in the middle of an image": onLine("archive", { kind: "cut after", bytes: 20_000 }),
    // The client's third turn, after the association and the query.
    "is cut before it answers that it has an image": onLine("archive", {
      kind: "cut the answer",
      isDone: (turns) => turns === 3,
    }),
    ...faultsOfLine("archive"),
  },
  register: {
    "answers that it is closed": waits(({ peers }) => {
      peers.register.tokens.clear();
      peers.register.loginCode = "04";
    }),
    "is cut before it answers": onLine("register", { kind: "cut the answer", isDone: () => true }),
    ...breaksTls("register"),
    ...faultsOfLine("register"),
  },
};

/** Repairs every provider. */
export async function mend({ lines, peers }: OutagesPortal): Promise<void> {
  Object.assign(peers.smtp, { afterData: "accept", holdAfterData: null, refuseRecipient: null });
  Object.assign(peers.gatewayApi, { afterTaking: "accept", refuse: null });
  peers.netsShare.server.letIn(true);
  peers.register.loginCode = "00";
  for (const line of Object.values(lines)) await line.is(null);
}
