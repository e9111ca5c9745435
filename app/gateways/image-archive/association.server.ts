import { once } from "node:events";
import { createRequire } from "node:module";
import { connect, type Socket } from "node:net";
import type { ArchiveInstance, ImageArchiveSettings, InstanceNames } from "./port";

const { association, constants, Dataset, log, requests, Scp } = createRequire(import.meta.url)(
  "dcmjs-dimse",
) as typeof import("dcmjs-dimse");

// The library's log names patients.
log.disableAll(false);

export interface Patience {
  connect: number;
  silence: number;
}

export const PATIENCE: Patience = { connect: 10_000, silence: 120_000 };

/** Disables the library's timeout, which counts from the last answer and would end a 1 GB transfer. */
const NEVER_MS = 24 * 3_600_000;
const RELEASE_MS = 2_000;

/** Header of a data fragment: length, context, last flag. */
const FRAGMENT_HEAD_BYTES = 6;
const PDU_HEAD_BYTES = 6;
const P_DATA = 4;
const LAST_FRAGMENT = 2;
const MAX_PDU_BYTES = 256 * 1024;

const PENDING = [0xff00, 0xff01];

/**
 * Why an association failed. `unreachable`: no connection; `rejected`: by the archive, with `source` and `reason`
 * (DICOM PS3.8, 9.3.4); `closed`, `aborted`: in the middle; `silent`: timeout.
 */
export class AssociationError extends Error {
  override readonly name = "AssociationError";
  constructor(
    readonly kind: "unreachable" | "rejected" | "closed" | "aborted" | "silent",
    message: string,
    readonly rejection: { source: number; reason: number } | null = null,
  ) {
    super(message);
  }
}

/** Only the C-STORE command: the library would load and rewrite the whole data set. */
class StoreCommand extends requests.CStoreRequest {
  constructor({ sopClass, sopInstance, transferSyntax }: ArchiveInstance) {
    super(new Dataset({ SOPClassUID: sopClass, SOPInstanceUID: sopInstance }, transferSyntax));
  }
  override getDataset(): undefined {
    return undefined;
  }
}

export interface Topics {
  store?: Pick<ArchiveInstance, "sopClass" | "transferSyntax">;
}

/** An accepted association. Calls reject with `AssociationError` if it breaks. */
export interface OpenAssociation {
  canStore: boolean;
  canFind: boolean;
  store(instance: ArchiveInstance): Promise<number>;
  /** Patient ids under which the archive has an image, '' if it does not say; null on an error. */
  find(names: InstanceNames): Promise<string[] | null>;
}

/** Opens an association, runs the work and releases it. Rejects with `AssociationError` or the work's error. */
export async function withAssociation<R>(
  settings: ImageArchiveSettings,
  topics: Topics,
  { signal, patience }: { signal: AbortSignal; patience: Patience },
  work: (open: OpenAssociation) => Promise<R>,
): Promise<R> {
  const socket = connect({ host: settings.host, port: settings.port });
  const connection = new Scp(socket, {
    connectTimeout: patience.silence,
    associationTimeout: NEVER_MS,
    pduTimeout: NEVER_MS,
  });
  const broken = breakage(socket, connection, signal);
  try {
    await Promise.race([connected(socket, patience.connect), broken]);
    const accepted = await Promise.race([associated(connection, settings, topics), broken]);
    const result = await work(openAssociation(connection, socket, accepted, broken));
    await Promise.race([released(connection), broken.catch(() => undefined)]);
    return result;
  } finally {
    socket.destroy();
  }
}

type Connection = InstanceType<typeof Scp>;
type Accepted = Parameters<Connection["sendAssociationRequest"]>[0];

function breakage(socket: Socket, connection: Connection, signal: AbortSignal): Promise<never> {
  const broken = new Promise<never>((_resolve, reject) => {
    const fail = (kind: AssociationError["kind"], message: string) => reject(new AssociationError(kind, message));
    let isConnected = false;
    socket.once("connect", () => (isConnected = true));
    // Before the library's listeners, which report less.
    socket.prependOnceListener("error", (error: NodeJS.ErrnoException) =>
      fail(isConnected ? "closed" : "unreachable", error.code ?? error.message),
    );
    socket.prependOnceListener("timeout", () => fail(isConnected ? "silent" : "unreachable", "ETIMEDOUT"));
    connection.on("abort", () => fail("aborted", "aborted"));
    connection.on("networkError", (error: Error) => fail("closed", error.message));
    connection.on("close", () => fail("closed", "closed"));
    if (signal.aborted) fail("silent", "given up");
    signal.addEventListener("abort", () => fail("silent", "given up"), { once: true });
  });
  broken.catch(() => undefined);
  return broken;
}

async function connected(socket: Socket, ms: number): Promise<void> {
  const limit = AbortSignal.timeout(ms);
  try {
    await once(socket, "connect", { signal: limit });
  } catch (error) {
    throw limit.aborted ? new AssociationError("unreachable", "ETIMEDOUT") : error;
  }
}

function associated(
  connection: Connection,
  { calledTitle, callingTitle }: ImageArchiveSettings,
  topics: Topics,
): Promise<Accepted> {
  const wanted = new association.Association(callingTitle, calledTitle);
  const offer = (abstractSyntax: string, transferSyntax: string) =>
    wanted.addTransferSyntaxToPresentationContext(wanted.addPresentationContext(abstractSyntax), transferSyntax);
  if (topics.store) offer(topics.store.sopClass, topics.store.transferSyntax);
  offer(FIND, constants.TransferSyntax.ImplicitVRLittleEndian);
  return new Promise((resolve, reject) => {
    connection.on("associationAccepted", (accepted: Accepted) => resolve(accepted));
    connection.on("associationRejected", ({ source, reason }: { source: number; reason: number }) =>
      reject(new AssociationError("rejected", `source ${source}, reason ${reason}`, { source, reason })),
    );
    connection.sendAssociationRequest(wanted);
  });
}

const FIND = constants.SopClass.StudyRootQueryRetrieveInformationModelFind;

function openAssociation(
  connection: Connection,
  socket: Socket,
  accepted: Accepted,
  broken: Promise<never>,
): OpenAssociation {
  const contextOf = (abstractSyntax: string) =>
    accepted
      .getPresentationContexts()
      .find(
        ({ context }) =>
          context.getAbstractSyntaxUid() === abstractSyntax &&
          context.getResult() === constants.PresentationContextResult.Accept,
      );
  const storing = accepted
    .getPresentationContexts()
    .find(
      ({ context }) =>
        context.getAbstractSyntaxUid() !== FIND && context.getResult() === constants.PresentationContextResult.Accept,
    );
  return {
    canStore: storing !== undefined,
    canFind: contextOf(FIND) !== undefined,
    async store(instance) {
      const command = new StoreCommand(instance);
      const status = new Promise<number>((resolve) => command.on("response", (answer) => resolve(answer.getStatus())));
      connection.sendRequests(command);
      const largest = Math.min(accepted.getMaxPduLength() || MAX_PDU_BYTES, MAX_PDU_BYTES) - FRAGMENT_HEAD_BYTES;
      await streamDataSet(socket, instance, { contextId: storing!.id, largest }, broken);
      return Promise.race([status, broken]);
    },
    async find({ study, series, sopInstance }) {
      const question = requests.CFindRequest.createImageFindRequest({
        StudyInstanceUID: study,
        SeriesInstanceUID: series,
        SOPInstanceUID: sopInstance,
        PatientID: "",
      });
      const answered = new Promise<string[] | null>((resolve) => {
        const patients: string[] = [];
        question.on("response", (answer) => {
          const shown = answer.getDataset();
          if (!PENDING.includes(answer.getStatus()))
            resolve(answer.getStatus() === constants.Status.Success ? patients : null);
          else if (shown?.getElement("SOPInstanceUID") === sopInstance)
            patients.push(String(shown.getElement("PatientID") ?? ""));
        });
      });
      connection.sendRequests(question);
      return Promise.race([answered, broken]);
    },
  };
}

async function streamDataSet(
  socket: Socket,
  { sizeBytes, dataSetOffset, open }: ArchiveInstance,
  { contextId, largest }: { contextId: number; largest: number },
  broken: Promise<never>,
): Promise<void> {
  let skip = dataSetOffset;
  let left = sizeBytes - dataSetOffset;
  for await (const chunk of (await open()) as AsyncIterable<Buffer>) {
    const skipped = Math.min(skip, chunk.length);
    skip -= skipped;
    for (let at = skipped; at < chunk.length; at += largest) {
      const part = chunk.subarray(at, at + largest);
      left -= part.length;
      socket.cork();
      socket.write(fragmentHead(contextId, part.length, left === 0));
      const hasRoom = socket.write(part);
      socket.uncork();
      if (!hasRoom) await Promise.race([once(socket, "drain"), broken]);
    }
  }
  if (left !== 0) throw new Error("The file does not have the size that is written down of it");
}

function fragmentHead(contextId: number, length: number, isLast: boolean): Buffer {
  const head = Buffer.alloc(PDU_HEAD_BYTES + FRAGMENT_HEAD_BYTES);
  head.writeUInt8(P_DATA, 0);
  head.writeUInt32BE(length + FRAGMENT_HEAD_BYTES, 2);
  head.writeUInt32BE(length + 2, PDU_HEAD_BYTES);
  head.writeUInt8(contextId, PDU_HEAD_BYTES + 4);
  head.writeUInt8(isLast ? LAST_FRAGMENT : 0, PDU_HEAD_BYTES + 5);
  return head;
}

/** The work is done, so a missing release answer is ignored. */
async function released(connection: Connection): Promise<void> {
  const farewell = new Promise<void>((resolve) => connection.on("associationReleaseResponse", () => resolve()));
  connection.sendAssociationReleaseRequest();
  await Promise.race([farewell, new Promise((resolve) => setTimeout(resolve, RELEASE_MS).unref())]);
}
