import { randomBytes } from "node:crypto";
import type { Server, Socket } from "node:net";
import { createServer } from "node:tls";
import { selfSigned } from "./self-signed";

const { key, cert } = selfSigned();
export { cert };

type Fields = Record<number, string>;

export interface Register {
  heard: string[];
  /** Valid tokens. */
  tokens: Set<string>;
  loginCode: string;
  logins: number;
  /** Replaces the answer to queries. */
  misbehave: ((socket: Socket, wholeAnswer: Buffer) => void) | null;
  /** Persons known besides its own. */
  knows(tenDigits: string): Fields | undefined;
  port: number;
}

const persons: Record<string, Fields> = {
  "2512489996": { 218: "Testpark Allé 48", 286: "3400", 290: "Hillerød", 332: "Nancy Ann", 382: "Berggren" },
  "0211223989": { 218: "Ærøvej 1, 2. tv", 286: "8000", 290: "Åbyhøj", 332: "Åge Østen", 382: "Sørensen-Ægidius" },
  "6101809990": { 70: "202405011200" },
};

/** CPR Direkte: the same telegrams over TLS, closing after each answer like the real one. */
export async function startRegister(listen: (server: Server) => Promise<number>): Promise<Register> {
  const register: Register = {
    heard: [],
    tokens: new Set(),
    loginCode: "00",
    logins: 0,
    misbehave: null,
    knows: () => undefined,
    port: 0,
  };
  const server = createServer({ key, cert }, (socket) => {
    let telegram = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      telegram += chunk.toString("latin1");
      if (telegram.startsWith("PRIV,038490") && telegram.length === 35) {
        register.heard.push(telegram);
        register.logins += 1;
        const token = randomBytes(4).toString("hex");
        if (register.loginCode === "00") register.tokens.add(token);
        socket.end(
          Buffer.from(
            `038490${register.loginCode === "00" ? token : " ".repeat(8)}KLINIK1 ${register.loginCode}`,
            "latin1",
          ),
        );
      } else if (telegram.startsWith("PRIV,038406") && telegram.length === 39) {
        register.heard.push(telegram);
        const token = telegram.slice(11, 19);
        const answer = register.tokens.has(token)
          ? answerAbout(telegram.slice(29), token, register)
          : Buffer.from(`038406${token}KLINIK1 070028`, "latin1");
        if (register.misbehave === null) socket.end(answer);
        else register.misbehave(socket, answer);
      }
    });
  });
  register.port = await listen(server);
  return register;
}
function answerAbout(tenDigits: string, token: string, register: Register): Buffer {
  const person = persons[tenDigits] ?? register.knows(tenDigits);
  if (person === undefined) return Buffer.from(`038406${token}KLINIK1 050028`, "latin1");
  const record = Buffer.alloc(469, " ");
  for (const [at, text] of Object.entries({ 0: "001", 3: tenDigits, 22: "01", 70: "0".repeat(12), ...person })) {
    record.write(text, Number(at), "latin1");
  }
  const ends = [
    Buffer.from(`038406${token}KLINIK1 000553${"000".padEnd(35, "0")}`, "latin1"),
    Buffer.from("999999999999900000003", "latin1"),
  ];
  return Buffer.concat([ends[0]!, record, ends[1]!]);
}
