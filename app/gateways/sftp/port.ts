/** A folder at somebody's SFTP server, and how one signs in there. */
export interface SftpSettings {
  host: string;
  port: number;
  user: string;
  /** The folder that the work is in, without a slash at its end; empty for the root. */
  folder: string;
  /** Path of the private key. */
  keyFile: string;
  keyPassphrase: string | null;
  /** `SHA256:…` as `ssh-keygen -l` prints it: a host with another key is refused. */
  hostKey: string;
}
