import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { unzip } from "../unzip";
import { type SftpServer, startSftpServer } from "./sftp-server";

const CVR = "12345678";

export interface Shipment {
  letterId: string;
  xml: string;
  pdf: Buffer;
}

/**
 * Where the connection is cut. `before`: nobody answers. `during`: during a transfer. `afterRename`: the letter is
 * delivered, but the answer is lost. `falls silent`: silence during a transfer.
 */
export type Cut = "before" | "during" | "afterRename" | "falls silent";

export interface NetsSharePeer {
  env: Record<string, string>;
  server: SftpServer;
  shipments: Shipment[];
  cut: Cut | null;
  /** Takes the files of Inbound and writes a receipt for each shipment. */
  receiveShipments(): void;
  writeReport(name: string, text: string): void;
  /** Writes a daily report or an immediate receipt. */
  report(name: string, letters: { letterId: string; status: string; reason?: string }[]): void;
  outbound(): string[];
  /** Files in Inbound, partial ones included. */
  inbound(): string[];
  folders: { inbound: string; outbound: string };
  connections: number;
  /** Closes every connection, which the portal keeps for its next letter. */
  hangUp(): void;
  reset(): void;
  stop(): Promise<void>;
}

/** A scripted Nets Share distributor on top of OpenSSH. */
export async function startNetsSharePeer(options: { maxFileKilobytes?: number } = {}): Promise<NetsSharePeer> {
  const server = await startSftpServer(options);
  const folders = {
    inbound: path.join(server.folder, "Inbound", `DK${CVR}`),
    outbound: path.join(server.folder, "Outbound"),
  };
  const namesIn = (folder: string) => readdirSync(folder).toSorted();
  const received = new Set<string>();
  let files = 0;
  const sockets = new Set<Socket>();
  const peer: NetsSharePeer = {
    env: {},
    server,
    folders,
    shipments: [],
    cut: null,
    receiveShipments() {
      for (const name of namesIn(folders.inbound).filter((each) => each.endsWith(".zip"))) {
        const file = path.join(folders.inbound, name);
        const entries = unzip(readFileSync(file));
        rmSync(file);
        const xml = entries.find(([entry]) => entry === "shipment.xml")![1].toString();
        const letterId = /<shipmentId>([^<]+)<\/shipmentId>/.exec(xml)![1]!;
        const isKnown = received.has(letterId);
        if (!isKnown)
          peer.shipments.push({ letterId, xml, pdf: entries.find(([entry]) => entry.endsWith(".pdf"))![1] });
        received.add(letterId);
        peer.writeReport(
          `tTEST_DK${CVR}_0001_${name}.receipt`,
          isKnown
            ? "<receipt><status>400</status><messages><message>This shipment has already been received before</message></messages></receipt>"
            : "<receipt><status>200</status><messages/></receipt>",
        );
      }
    },
    writeReport(name, text) {
      const file = path.join(folders.outbound, name);
      writeFileSync(`${file}.tmp`, text);
      // In order of creation.
      utimesSync(`${file}.tmp`, new Date(), new Date(1_800_000_000_000 + 1000 * files++));
      renameSync(`${file}.tmp`, file);
    },
    report(name, letters) {
      const messages = letters.map(
        ({ letterId, status, reason }) =>
          `<message id="${letterId}"><status>${status}</status>${reason ? `<reasonCode>${reason}</reasonCode>` : ""}</message>`,
      );
      peer.writeReport(
        name,
        `<?xml version="1.0" encoding="UTF-8"?>\n<distributionReport>${messages.join("")}</distributionReport>`,
      );
    },
    outbound: () => namesIn(folders.outbound),
    inbound: () => namesIn(folders.inbound),
    connections: 0,
    hangUp: () => sockets.forEach((socket) => socket.destroy()),
    reset() {
      peer.cut = null;
      peer.hangUp();
      peer.shipments = [];
      received.clear();
      server.letIn(true);
      for (const folder of Object.values(folders)) {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true });
      }
    },
    async stop() {
      peer.hangUp();
      await proxy.close();
      await server.stop();
    },
  };
  const proxy = await startProxy(server.port, peer, sockets);
  peer.env = {
    NETS_SHARE_URL: `sftp://${server.user}@127.0.0.1:${proxy.port}${server.folder}`,
    NETS_SHARE_KEY_FILE: server.keyFile,
    NETS_SHARE_HOST_KEY: server.hostKey,
    NETS_SHARE_CVR: CVR,
    NETS_SHARE_EBOKS_ID: "15723",
    NETS_SHARE_EBOKS_DOCUMENT_TYPE: "163057",
    NETS_SHARE_PRINT_DOCUMENT_TYPE: "163058",
    NETS_SHARE_RETURN_ADDRESS: "Kæbekirurgisk Klinik; Åvej 1; 8000 Aarhus C",
  };
  peer.reset();
  return peer;
}

/** Logging in takes about four kilobytes. */
const IN_THE_MIDDLE = 40_000;

/** A proxy that cuts connections as configured. */
async function startProxy(port: number, peer: NetsSharePeer, open: Set<Socket>) {
  const proxy = createServer({ noDelay: true }, (near) => {
    peer.connections += 1;
    if (peer.cut === "before") {
      near.destroy();
      return;
    }
    const far = connect({ port, host: "127.0.0.1", noDelay: true });
    const cut = () => [near, far].forEach((socket) => socket.destroy());
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", cut);
      socket.on("close", () => (open.delete(socket), cut()));
    }
    let sent = 0;
    near.on("data", (chunk) => {
      sent += chunk.length;
      if (sent > IN_THE_MIDDLE && peer.cut === "during") cut();
      else if (sent <= IN_THE_MIDDLE || peer.cut !== "falls silent") far.write(chunk);
    });
    far.on("data", (chunk) => {
      const isTheirs = existsSync(peer.folders.inbound) && peer.inbound().some((name) => name.endsWith(".zip"));
      if (peer.cut === "afterRename" && isTheirs) cut();
      else near.write(chunk);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    async close() {
      await new Promise<void>((resolve) => proxy.close(() => resolve()));
    },
  };
}
