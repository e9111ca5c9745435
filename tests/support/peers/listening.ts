import type { AddressInfo, Server, Socket } from "node:net";
import { afterEach } from "vitest";

/** Lets servers listen on free ports of 127.0.0.1 until the end of their test; returns the port. */
export function listening() {
  const open = new Set<Socket>();
  const servers: Server[] = [];
  afterEach(async () => {
    for (const socket of open) socket.destroy();
    open.clear();
    await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
  });

  return async function listen(server: Server): Promise<number> {
    servers.push(server);
    server.on("connection", (socket: Socket) => open.add(socket));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return (server.address() as AddressInfo).port;
  };
}
