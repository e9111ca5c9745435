interface Picture {
  extensions: readonly string[];
  mime: string;
  /** What a file of such a name should be, in a refusal. */
  meant: string;
  readBy: "sharp" | "bmp";
}

/** Formats of pictures by content. A new one is a line here, and its signature in content-type.server.ts. */
export const pictures = {
  jpg: { extensions: ["jpg", "jpeg"], mime: "image/jpeg", meant: "et JPEG-billede", readBy: "sharp" },
  gif: { extensions: ["gif"], mime: "image/gif", meant: "et GIF-billede", readBy: "sharp" },
  png: { extensions: ["png"], mime: "image/png", meant: "et PNG-billede", readBy: "sharp" },
  bmp: { extensions: ["bmp"], mime: "image/bmp", meant: "et BMP-billede", readBy: "bmp" },
} as const satisfies Record<string, Picture>;

export type PictureContent = keyof typeof pictures;
export type PictureExtension = (typeof pictures)[PictureContent]["extensions"][number];

const entries = Object.entries<Picture>(pictures) as [PictureContent, Picture][];

export const pictureExtensions = entries.flatMap(([, { extensions }]) => extensions as readonly PictureExtension[]);

/** A value for each ending of a picture's name. */
export const eachPictureExtension = <V>(valueOf: (content: PictureContent, picture: Picture) => V) =>
  Object.fromEntries(
    entries.flatMap(([content, picture]) =>
      picture.extensions.map((extension) => [extension, valueOf(content, picture)]),
    ),
  ) as Record<PictureExtension, V>;

export const pictureOf = (content: string): Picture | undefined => entries.find(([name]) => name === content)?.[1];

export const pictureOfMime = (mime: string): Picture | undefined =>
  entries.find(([, picture]) => picture.mime === mime)?.[1];

export const pictureMimes: readonly string[] = entries.map(([, { mime }]) => mime);
