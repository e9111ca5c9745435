import type { S3Settings } from "./settings";

interface S3ErrorFields {
  name?: string;
  Code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** A set-up error as a line for the operator; null for temporary errors. */
export function describeS3Error(
  error: unknown,
  { bucket, encryption, region }: S3Settings,
): { setupError: string } | { away: unknown } {
  const cause = ((error as Error).cause ?? error) as S3ErrorFields;
  const code = cause.Code ?? cause.name ?? "";
  const errors: Record<string, string> = {
    NoSuchBucket: `FILE_STORE: there is no bucket ${bucket}`,
    InvalidAccessKeyId: "FILE_STORE_KEY: the store does not know this key",
    SignatureDoesNotMatch: "FILE_STORE_SECRET: the store refuses it",
    AccessDenied: `FILE_STORE: the key may not write, read, list and delete in the bucket ${bucket}`,
    AuthorizationHeaderMalformed: `FILE_STORE: the bucket ${bucket} is not in the region ${region}`,
    PermanentRedirect: `FILE_STORE: the bucket ${bucket} is not in the region ${region}`,
    NotImplemented: `FILE_STORE: the store does not encrypt as it is asked to (encryption=${encryption}); encryption=none asks for nothing`,
    CredentialsProviderError: "FILE_STORE_KEY: is required, as this machine has no credentials of its own",
  };
  const setupError = errors[code];
  if (setupError !== undefined) return { setupError };
  if (cause.$metadata?.httpStatusCode === 403) return { setupError: errors.AccessDenied! };
  return { away: error };
}
