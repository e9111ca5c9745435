import { once } from "node:events";
import { createRequire } from "node:module";
import { connect, type Socket } from "node:net";
import type { ArchiveInstance, ImageArchiveSettings, InstanceNames } from "./port";

const { association, constants, Dataset, log, requests, Scp } = createRequire(import.meta.url)(
  "dcmjs-dimse",
) as typeof import("dcmjs-dimse");

// The library's log names patients.
log.disableAll(false);

/** How long an archive may take. Milliseconds. */
export interface Patience {
  connect: number;
  /** Without a byte in either direction: for an answer, and in the middle of an image. */
  silence: number;
}

export const PATIENCE: Patience = { connect: 10_000, silence: 120_000 };

/** Ours never ends by the library's clock, which counts from the last answer: an image of 1 GB is sent without one. */
const NEVER_MS = 24 * 3_600_000;
const RELEASE_MS = 2_000;

/** A data fragment: its length, its context, and whether it is the last. */
const FRAGMENT_HEAD_BYTES = 6;
const PDU_HEAD_BYTES = 6;
const P_DATA = 4;
const LAST_FRAGMENT = 2;
const MAX_PDU_BYTES = 256 * 1024;

const PENDING = [0xff00, 0xff01];

/**
 * Why an association came to nothing. `unreachable`: no connection. `rejected`: by the archive, which says `source` and `reason` (DICOM PS3.8,
 * 9.3.4). `closed`, `aborted`: in the middle, without an answer. `silent`: no answer in time.
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

/** Sends the command of a C-STORE alone: the library would read the whole data set into memory and write it anew in its own words. */
class StoreCommand extends requests.CStoreRequest {
  constructor({ sopClass, sopInstance, transferSyntax }: ArchiveInstance) {
    super(new Dataset({ SOPClassUID: sopClass, SOPInstanceUID: sopInstance }, transferSyntax));
  }
  override getDataset(): undefined {
    return undefined;
  }
}

/** What is to be spoken of: an image to be stored, and always the question whether one is there. */
export interface Topics {
  store?: Pick<ArchiveInstance, "sopClass" | "transferSyntax">;
}

/** An association with the archive that has been accepted. Every call rejects with `AssociationError` when it breaks. */
export interface OpenAssociation {
  /** Whether the archive takes the image's kind in its transfer syntax. */
  canStore: boolean;
  canFind: boolean;
  /** Sends an image, at the archive's pace. Answers the status of its answer. */
  store(instance: ArchiveInstance): Promise<number>;
  /** The patient numbers under which the archive shows an image, '' where it tells none; null when it answers with an error. */
  find(names: InstanceNames): Promise<string[] | null>;
}

/** Opens an association, does the work, and releases it. Rejects with `AssociationError`, or what the work rejects with. */
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

/** Rejects when the association breaks, whatever is being waited for. */
function breakage(socket: Socket, connection: Connection, signal: AbortSignal): Promise<never> {
  const broken = new Promise<never>((_resolve, reject) => {
    const fail = (kind: AssociationError["kind"], message: string) => reject(new AssociationError(kind, message));
    let isConnected = false;
    socket.once("connect", () => (isConnected = true));
    // Before the library's own listeners, which say less.
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

/** Writes the data set as fragments of one context, never more than the socket and the archive take at the moment. */
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

/** Politely, but what was to be done is done: an archive that does not answer the farewell is left. */
async function released(connection: Connection): Promise<void> {
  const farewell = new Promise<void>((resolve) => connection.on("associationReleaseResponse", () => resolve()));
  connection.sendAssociationReleaseRequest();
  await Promise.race([farewell, new Promise((resolve) => setTimeout(resolve, RELEASE_MS).unref())]);
}
