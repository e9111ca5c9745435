export interface SftpSettings {
  host: string;
  port: number;
  user: string;
  folder: string;
  keyFile: string;
  keyPassphrase: string | null;
  /** `SHA256:…` as printed by `ssh-keygen -l`; other keys are refused. */
  hostKey: string;
}
