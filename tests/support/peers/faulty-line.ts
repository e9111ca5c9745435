import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * Faults of a connection. `refused`: nobody listens. `cut at once`: accepted and reset. `cut after`: after so many
 * bytes of the client. `cut the answer`: after the server's answer; `isDone` tells by the client's turns whether it had
 * its confirmation.
 */
export type LineFault =
  | { kind: "refused" | "cut at once" | "breaks TLS" | "silent" | "frozen" }
  | { kind: "cut after"; bytes: number }
  | { kind: "cut the answer"; isDone(turns: number): boolean }
  | { kind: "slow"; delayMs: number };

/**
 * Where a conversation is held, by the number of client turns: before its data is forwarded, or before it is answered.
 */
export interface Hold {
  before: "request" | "answer";
  isIt(turns: number): boolean;
}

/** A TCP proxy to a local server with faults. Connections open when a fault begins are lost, unless they freeze. */
export interface FaultyLine {
  port: number;
  /** Bytes and client turns of the longest connection since `forget()`. */
  longest: { bytes: number; turns: number };
  forget(): void;
  /** Null repairs it. Connections silenced by a fault stay silent. */
  is(fault: LineFault | null): Promise<void>;
  /**
   * Holds every new connection at this point; resolves with the first. Open ones are lost. `letGo` forwards the held
   * data.
   */
  holdAt(hold: Hold): Promise<void>;
  letGo(): void;
  /** Resets every connection. */
  hangUp(): void;
  close(): Promise<void>;
}

export async function startFaultyLine(target: number): Promise<FaultyLine> {
  let fault: LineFault | null = null;
  let hold: (Hold & { reached(): void }) | null = null;
  let isFrozen = false;
  const kept: (() => void)[] = [];
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    open.add(near);
    if (fault?.kind === "cut at once") return void near.resetAndDestroy();
    const far = connect({ port: target, host: "127.0.0.1", noDelay: true });
    open.add(far);
    const own = fault;
    const end = () => [near, far].forEach((socket) => socket.destroy());
    for (const socket of [near, far])
      socket.on("error", end).on("close", () => {
        open.delete(socket);
        setTimeout(end, own?.kind === "slow" ? 2 * own.delayMs : 0);
      });
    carry(near, far, own);
  });

  function carry(near: Socket, far: Socket, own: LineFault | null) {
    const cut = () => [near, far].forEach((socket) => socket.resetAndDestroy());
    const spoken = { bytes: 0, turns: 0, isClients: false };
    let heldIn: Hold | null = null;
    /** Forwards a chunk, or keeps it until released. */
    const pass = (to: Socket, chunk: Buffer, before: Hold["before"]) => {
      if (hold !== null && hold.before === before && hold.isIt(spoken.turns)) {
        heldIn = hold;
        hold.reached();
      }
      const go = () => void to.write(chunk);
      if (isFrozen || (heldIn !== null && heldIn === hold)) kept.push(go);
      else if (own?.kind === "slow") setTimeout(go, own.delayMs);
      else go();
    };
    near.on("data", (chunk: Buffer) => {
      spoken.bytes += chunk.length;
      if (!spoken.isClients) spoken.turns += 1;
      spoken.isClients = true;
      line.longest = {
        bytes: Math.max(line.longest.bytes, spoken.bytes),
        turns: Math.max(line.longest.turns, spoken.turns),
      };
      if (own?.kind === "silent") return;
      if (own?.kind === "cut after" && spoken.bytes >= own.bytes) return cut();
      if (own?.kind === "breaks TLS" && isHandshake(chunk)) return void near.end("no handshake\r\n".repeat(20));
      pass(far, chunk, "request");
    });
    far.on("data", (chunk: Buffer) => {
      spoken.isClients = false;
      if (own?.kind === "silent") return;
      if (own?.kind === "cut the answer" && own.isDone(spoken.turns)) return cut();
      pass(near, chunk, "answer");
    });
  }

  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const flush = () => {
    for (const go of kept.splice(0)) go();
  };
  const hangUp = () => open.forEach((socket) => socket.resetAndDestroy());
  await listen(0);
  const line: FaultyLine = {
    port: (server.address() as AddressInfo).port,
    longest: { bytes: 0, turns: 0 },
    forget: () => void (line.longest = { bytes: 0, turns: 0 }),
    async is(next) {
      fault = next;
      isFrozen = next?.kind === "frozen";
      if (next === null) flush();
      else if (!isFrozen) hangUp();
      if (next?.kind === "refused" && server.listening)
        await new Promise<void>((resolve) => server.close(() => resolve()));
      if (next?.kind !== "refused" && !server.listening) await listen(line.port);
    },
    holdAt(wanted) {
      hangUp();
      return new Promise((resolve) => void (hold = { ...wanted, reached: resolve }));
    },
    letGo() {
      hold = null;
      flush();
    },
    hangUp,
    async close() {
      hangUp();
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return line;
}

/** A TLS record, or the beginning of an SSH client's conversation. */
const isHandshake = (chunk: Buffer) => chunk[0] === 0x16 || chunk.toString("latin1", 0, 4) === "SSH-";
