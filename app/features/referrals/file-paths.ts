/** Addresses of a referral's images, files and letters: apart from `paths`, which the script of every page has whole. */
export const filePaths = {
  /** `adjustments`: frame, brightness and contrast of DICOM, unless default. */
  referralPreview: (
    referralId: number,
    fileId: number,
    size: "thumb" | "view" | "full",
    adjustments: Record<string, number> = {},
  ) =>
    `/management/overview/${referralId}/files/${fileId}/preview?size=${size}${Object.entries(adjustments)
      .map(([name, value]) => `&${name}=${value}`)
      .join("")}`,
  letter: (referralId: number, letterNumber: number, kind: "pdf" | "zip" | "images", mailedTo: number | null = null) =>
    `/management/overview/${referralId}/breve/${letterNumber}?som=${kind}${mailedTo === null ? "" : `&mid=${mailedTo}`}`,
  deleteReferralLetter: (referralId: number, letterNumber: number, query = "") =>
    `/management/overview/${referralId}/breve/${letterNumber}/slet${query}#slet`,
  /** Confirmation over the list or the open referral; `query` is that page's. */
  deleteLetter: (referralId: number, letterNumber: number, query = "") =>
    `/management/ending-letter/${referralId}/${letterNumber}/slet${query}#slet`,
  /** `query` is that of the open referral, to which the letter returns. */
  writeLetter: (referralId: number, letterNumber: number, query = "") =>
    `/management/ending-letter/${referralId}/${letterNumber}/skriv${query}`,
  deleteImage: (referralId: number, fileId: number) => `/management/overview/${referralId}/images/${fileId}/slet`,
  referralImage: (referralId: number, fileId: number) => `/management/overview/${referralId}/images/${fileId}`,
  referralFile: (referralId: number, fileId: number) => `/management/overview/${referralId}/files/${fileId}`,
  referralImagesZip: (referralId: number) => `/management/overview/${referralId}/billeder.zip`,
  uploadImages: (referralId: number) => `/management/overview/${referralId}/roentgenbilleder`,
  upload: (uploadId: string) => `/management/uploads/${uploadId}`,
  uploads: "/management/uploads",
} as const;
