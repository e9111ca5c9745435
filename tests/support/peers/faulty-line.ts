import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * What a line does to whoever connects. `refused`: nobody listens. `cut at once`: it takes the connection and resets it. `cut after`: so many bytes have
 * come from the client, counted for each connection. `cut the answer`: the other side has answered, and `isDone` says of the client's turns on this
 * connection that it had what it was sent. `breaks TLS`: the handshake, of TLS or SSH, is answered with something else. `silent`: nothing is passed on
 * and nobody hangs up. `frozen`: nothing is passed on until the line is whole again, then all of it.
 */
export type LineFault =
  | { kind: "refused" | "cut at once" | "breaks TLS" | "silent" | "frozen" }
  | { kind: "cut after"; bytes: number }
  | { kind: "cut the answer"; isDone(turns: number): boolean }
  | { kind: "slow"; delayMs: number };

/** Where a conversation is held, by how many turns its client has had: before its words are passed on, or before they are answered. */
export interface Hold {
  before: "request" | "answer";
  isIt(turns: number): boolean;
}

/** A TCP line to a server on this machine, which may be at fault. Connections that are open when a fault begins are lost, unless they freeze. */
export interface FaultyLine {
  port: number;
  /** What the longest connection since `forget()` has sent, and how many turns its client had. */
  longest: { bytes: number; turns: number };
  forget(): void;
  /** Null: the line is whole again. A connection that a fault has silenced stays silent. */
  is(fault: LineFault | null): Promise<void>;
  /** Holds every new connection that comes this far; settles with the first of them. Those that are open are lost. `letGo` passes on what was held. */
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
        // What was said before is still on its way.
        setTimeout(end, own?.kind === "slow" ? 2 * own.delayMs : 0);
      });
    carry(near, far, own);
  });

  function carry(near: Socket, far: Socket, own: LineFault | null) {
    const cut = () => [near, far].forEach((socket) => socket.resetAndDestroy());
    const spoken = { bytes: 0, turns: 0, isClients: false };
    let heldIn: Hold | null = null;
    /** Passes a chunk on, or keeps it until it is let go. */
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

/** A record of TLS, or what a client of SSH begins with. */
const isHandshake = (chunk: Buffer) => chunk[0] === 0x16 || chunk.toString("latin1", 0, 4) === "SSH-";
