export interface Control {
  /** By name of a process. */
  readonly ports: Record<string, number>;
  start(name: string): Promise<unknown>;
  stop(name: string): Promise<unknown>;
  kill(name: string): Promise<unknown>;
}
export interface LoadCustomer {
  email: string;
  password: string;
  userId: string;
  accessToken: string;
  /** The first one's. */
  wheel?: { id: string; token: string; link: string };
}
export class Cluster {
  static create(): Promise<Cluster>;
  readonly overrides: Record<string, Record<string, string>>;
  readonly url: string;
  readonly ingress: { url: string };
  readonly refused: Record<string, number>;
  serve(control: Control): Promise<void>;
  join(publishableKey: string): Promise<LoadCustomer[]>;
  restartEach(note?: (line: string) => void): Promise<void>;
  killEach(note?: (line: string) => void): Promise<void>;
  close(): Promise<void>;
}
