export interface Infrastructure {
  postgres: { url: string };
  rabbitmq: { url: string; managementUrl?: string };
  redis: { url: string };
  chromium: { path: string };
}

export interface SystemOptions {
  infrastructure: Infrastructure;
  secrets: Record<string, string>;
  database?: string;
  vhost?: string;
  redisPrefix?: string;
  dataDirectory?: string;
  logDirectory?: string;
  usePreferredPorts?: boolean;
  /** Environment by service name, over what the supervisor sets. */
  overrides?: Record<string, Record<string, string>>;
  restart?: boolean;
  log?: (line: string) => void;
}

export class System {
  static create(options: SystemOptions): Promise<System>;
  readonly ports: Record<string, number>;
  /** Of a process that starts from now on. */
  readonly overrides: Record<string, Record<string, string>>;
  readonly secrets: Record<string, string>;
  readonly databaseUrl: string;
  readonly databaseUrls: Record<string, string>;
  readonly brokerUrl: string;
  readonly logDirectory: string;
  readonly dataDirectory: string;
  url(name: string): string;
  pids(): Record<string, number>;
  onRestart(listener: (name: string) => void): void;
  build(apps?: readonly string[]): Promise<void>;
  migrate(services?: readonly string[]): Promise<void>;
  start(options?: { workers?: number }): Promise<void>;
  startProcess(name: string): Promise<number>;
  startWorker(index?: number): Promise<number>;
  kill(name: string): Promise<void>;
  stopProcess(name: string): Promise<void>;
  stop(): Promise<void>;
}
