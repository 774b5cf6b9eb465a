import net from 'node:net';

/** One thing that a service asks of a server, or a message that it gets, as it stands on the wire. */
export interface Operation {
  /** The same in every run: the text of the statement, the kind of the message. Tells one operation from another. */
  key: string;
  /** For people, and short: `commit of insert inbox, update runs`, `ack run.finished`. */
  name: string;
  /** Changed something that outlives the process. A crash at any other place is, seen from outside, one at the effect before it. */
  isEffect: boolean;
  /** False for a message from the server: there is nothing that the server could have carried out. */
  hasAnswer: boolean;
}

/** What becomes of an operation: it passes; the process dies before the server hears of it; or before it hears of the server's answer. */
export type Fate = 'passes' | 'before' | 'after';

/** The life that the connections belong to. */
export interface Gate {
  fateOf(operation: Operation): Fate;
  /** The answer that an operation with fate `after` waited for is here. */
  answered(): void;
  /** Nothing passes any more: the process is dead or its last operation is on its way. */
  readonly isClosed: boolean;
  /** How much is in hand on a connection; 0 when it is at rest. */
  busy(connection: Connection, amount: number): void;
  /** The service reads this queue. */
  reads(queue: string): void;
}

/** One connection of a life to a server. */
export interface Connection {
  gate: Gate;
  toServer: (bytes: Buffer) => void;
  toClient: (bytes: Buffer) => void;
}

/** Reads both directions of a connection and passes them on, whole operations at a time. */
export interface Wire {
  fromClient(chunk: Buffer): void;
  fromServer(chunk: Buffer): void;
}

export type Protocol = (connection: Connection) => Wire;

/** Cuts a stream into messages: `next` says how long the first one is, or undefined while that cannot be said. */
function cutter(next: (bytes: Buffer) => number | undefined): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    for (let length = next(rest); length !== undefined && length <= rest.length; length = next(rest)) {
      messages.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    return messages;
  };
}

// PostgreSQL

const writes = /\b(?:insert into (\w+)|delete from (\w+)|update (?!set )(\w+)(?: \w+)? set (\w+))/i;

function normalised(sql: string): string {
  return sql
    .replace(/\s+/g, ' ')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '?')
    .replace(/"outbox_\w+"/, 'outbox_?')
    .trim();
}

/** `insert inbox`, `update runs set state`: the first change that a statement makes; undefined when it makes none. */
function changeOf(sql: string): string | undefined {
  const [found, into, from, table, column] = writes.exec(sql) ?? [];
  if (found === undefined) return undefined;
  if (into) return `insert ${into}`;
  return from ? `delete ${from}` : `update ${table} set ${column}`;
}

/** Text of a message that holds zero-terminated strings, from the given place. */
const textAt = (message: Buffer, at: number) => message.toString('utf8', at, message.indexOf(0, at));

/** What the server says that a statement did: `UPDATE 0`. */
const didNothing = /^(?:INSERT 0|UPDATE|DELETE|MERGE) 0$/;

/**
 * An operation is one round trip: a simple query, or everything up to a Sync. A commit is known by the statements of its transaction, so that
 * two of them are not taken for each other, and named after those that changed a row.
 */
export const postgresWire: Protocol = (connection) => {
  const { gate, toServer, toClient } = connection;
  let isStarted = false;
  let held: Buffer[] = [];
  let sql = '';
  const statements = new Map<string, string>();
  let state = 'I';
  /** Changes of the open transaction: all that were asked for, and those of them that found a row. */
  let asked: string[] = [];
  let changed: string[] = [];
  let current: { operation: Operation; change: string | undefined } | undefined;
  let isLast = false;

  const begun = (): NonNullable<typeof current> => {
    const text = normalised(sql);
    if (/^commit\b/i.test(text)) {
      const name = changed.length > 0 ? `commit of ${changed.join(', ')}` : 'commit of nothing';
      return {
        operation: { key: `commit of ${asked.join(', ')}`, name, isEffect: changed.length > 0, hasAnswer: true },
        change: undefined,
      };
    }
    const change = changeOf(text);
    if (state === 'I') [asked, changed] = [[], []];
    if (change !== undefined) asked.push(change);
    const isAlone = state === 'I' && change !== undefined;
    const short = change ?? (text.length > 70 ? `${text.slice(0, 70)}…` : text);
    return { operation: { key: text, name: isAlone ? `${short} on its own` : short, isEffect: isAlone, hasAnswer: true }, change };
  };
  /** The statement in hand is done: only now it is known whether it changed anything. */
  const done = (tag: string): void => {
    if (!current?.change) return;
    if (didNothing.test(tag)) current.operation.isEffect = false;
    else changed.push(current.change);
  };

  const cutClient = cutter((bytes) => {
    if (!isStarted) return bytes.length < 4 ? undefined : bytes.readUInt32BE(0);
    return bytes.length < 5 ? undefined : 1 + bytes.readUInt32BE(1);
  });
  const cutServer = cutter((bytes) => (bytes.length < 5 ? undefined : 1 + bytes.readUInt32BE(1)));
  const release = () => {
    toServer(Buffer.concat(held));
    held = [];
  };

  return {
    fromClient: (chunk) => {
      for (const message of cutClient(chunk)) {
        if (!isStarted) {
          isStarted = true;
          toServer(message);
          continue;
        }
        const kind = String.fromCharCode(message[0]!);
        held.push(message);
        if (kind === 'Q') sql = textAt(message, 5);
        else if (kind === 'P') {
          const name = textAt(message, 5);
          sql = textAt(message, 6 + Buffer.byteLength(name));
          if (name) statements.set(name, sql);
        } else if (kind === 'B') {
          const portal = textAt(message, 5);
          sql = statements.get(textAt(message, 6 + Buffer.byteLength(portal))) ?? sql;
        }
        if (kind === 'P' || kind === 'B' || kind === 'D' || kind === 'E' || kind === 'C') continue;
        if (kind === 'Q' || kind === 'S') {
          current = begun();
          const fate = gate.fateOf(current.operation);
          if (fate === 'before') return;
          isLast = fate === 'after';
          gate.busy(connection, 1);
        }
        release();
        if (isLast) return;
      }
    },
    fromServer: (chunk) => {
      for (const message of cutServer(chunk)) {
        if (message[0] === 0x43 /* CommandComplete */) done(textAt(message, 5));
        if (message[0] !== 0x5a /* ReadyForQuery */) continue;
        state = String.fromCharCode(message[5]!);
        // A transaction that is open is work in hand too.
        gate.busy(connection, state === 'I' ? 0 : 1);
        if (isLast) return gate.answered();
      }
      if (!isLast) toClient(chunk);
    },
  };
};

// AMQP 0-9-1

const method = (classId: number, methodId: number) => classId * 1000 + methodId;
const declareQueue = method(50, 10);
const declareExchange = method(40, 10);
const bindQueue = method(50, 20);
const qosOk = method(60, 11);
const consume = method(60, 20);
const consumeOk = method(60, 21);
const publish = method(60, 40);
const deliver = method(60, 60);
const get = method(60, 70);
const getOk = method(60, 71);
const ack = method(60, 80);
const reject = method(60, 90);
const nack = method(60, 120);
const closeChannel = method(20, 40);
const confirmSelect = method(85, 10);

/** `basic.qos`: a question on the same channel, answered after everything before it. */
function qosFrame(channel: number): Buffer {
  const frame = Buffer.from([1, 0, 0, 0, 0, 0, 11, 0, 60, 0, 10, 0, 0, 0, 0, 0, 1, 0, 0xce]);
  frame.writeUInt16BE(channel, 1);
  return frame;
}

/** Reads short strings one after another. */
function shortStrings(frame: Buffer, at: number, count: number): string[] {
  const found: string[] = [];
  for (let place = at; found.length < count; place += 1 + frame[place]!)
    found.push(frame.toString('utf8', place + 1, place + 1 + frame[place]!));
  return found;
}

/** The tags that an acknowledgement means: one, or all up to it. A reject has another bit in that place. */
function covered(tags: Iterable<number>, frame: Buffer): number[] {
  const tag = Number(frame.readBigUInt64BE(11));
  const isMultiple = frame.readUInt16BE(9) !== reject % 1000 && (frame[19]! & 1) === 1;
  return [...tags].filter((each) => each === tag || (isMultiple && each <= tag));
}

interface Channel {
  /** Frames of a publish whose body is not complete. */
  held: Buffer[];
  bodyLeft: number;
  confirms: boolean;
  published: number;
  unconfirmed: Set<number>;
  /** Kind of each message in hand, by delivery tag. */
  unacked: Map<number, string>;
  /** Queues of consumers that the broker has not named yet. */
  asked: string[];
  /** Consumers of answers, which are not acknowledged. */
  silent: Set<string>;
}

/** The kind of a message: its routing key, or that it answers a question. */
const kindOf = (exchange: string, routingKey: string) =>
  routingKey.startsWith('amq.') ? 'answer' : exchange === '' ? `queue ${routingKey}` : routingKey;

/** An operation is a whole publish with its confirm, an acknowledgement, a delivery, or a declaration. */
export const amqpWire: Protocol = (connection) => {
  const { gate, toServer, toClient } = connection;
  const channels = new Map<number, Channel>();
  let isGreeted = false;
  /** Says whether a frame from the server is the answer that the last operation waits for. */
  let isAnswer: ((channel: number, id: number, frame: Buffer) => boolean) | undefined;

  const channelOf = (number: number): Channel => {
    const known = channels.get(number);
    if (known) return known;
    const channel: Channel = {
      held: [],
      bodyLeft: -1,
      confirms: false,
      published: 0,
      unconfirmed: new Set(),
      unacked: new Map(),
      asked: [],
      silent: new Set(),
    };
    channels.set(number, channel);
    return channel;
  };
  const tell = () => {
    let amount = 0;
    for (const { unacked, unconfirmed } of channels.values()) amount += unacked.size + unconfirmed.size;
    gate.busy(connection, amount);
  };
  const idOf = (frame: Buffer) => (frame[0] === 1 ? method(frame.readUInt16BE(7), frame.readUInt16BE(9)) : 0);

  /** The operation that a frame from the service completes, with how its answer is known; undefined for what is none. */
  const begun = (number: number, channel: Channel, frame: Buffer): { operation: Operation; isAnswer: typeof isAnswer } | undefined => {
    const id = idOf(frame);
    if (id === publish) {
      const [exchange = '', routingKey = ''] = shortStrings(frame, 13, 2);
      const place = (channel.published += 1);
      if (channel.confirms) channel.unconfirmed.add(place);
      const name = `publish ${kindOf(exchange, routingKey)}`;
      return {
        operation: { key: name, name, isEffect: true, hasAnswer: true },
        isAnswer: (on, answer) => on === number && answer === ack && !channel.unconfirmed.has(place),
      };
    }
    if (id === ack || id === nack || id === reject) {
      const tag = Number(frame.readBigUInt64BE(11));
      const name = `${id === ack ? 'ack' : 'nack'} ${channel.unacked.get(tag) ?? 'several'}`;
      return {
        operation: { key: name, name, isEffect: true, hasAnswer: true },
        isAnswer: (on, answer) => on === number && answer === qosOk,
      };
    }
    if (id === declareQueue || id === declareExchange || id === bindQueue) {
      const what = id === declareQueue ? 'declare queue' : id === declareExchange ? 'declare exchange' : 'bind queue';
      const name = `${what} ${shortStrings(frame, 13, id === bindQueue ? 3 : 1).join(' ')}`;
      return {
        operation: { key: name, name, isEffect: false, hasAnswer: true },
        isAnswer: (on, answer) => on === number && answer === id + 1,
      };
    }
    return undefined;
  };

  const cut = () => cutter((bytes) => (bytes.length < 7 ? undefined : 8 + bytes.readUInt32BE(3)));
  const cutClient = cut();
  const cutServer = cut();

  /** @returns whether more may follow */
  const pass = (number: number, channel: Channel, frames: Buffer[]): boolean => {
    const [frame] = frames as [Buffer];
    const id = idOf(frame);
    const step = begun(number, channel, frame);
    const fate = step ? gate.fateOf(step.operation) : 'passes';
    if (fate === 'before') return false;
    if (id === ack || id === nack || id === reject) covered(channel.unacked.keys(), frame).forEach((tag) => channel.unacked.delete(tag));
    else if (id === confirmSelect) channel.confirms = true;
    else if (id === closeChannel) channels.delete(number);
    else if (id === get) gate.reads(shortStrings(frame, 13, 1)[0] ?? '');
    else if (id === consume) {
      const [queue = ''] = shortStrings(frame, 13, 1);
      channel.asked.push(queue);
      if (!queue.startsWith('amq.')) gate.reads(queue);
    }
    tell();
    toServer(frames.length === 1 ? frame : Buffer.concat(frames));
    if (fate !== 'after') return true;
    isAnswer = step?.isAnswer;
    // The broker does not answer an acknowledgement; it answers a question behind it.
    if (id === ack || id === nack || id === reject) toServer(qosFrame(number));
    return false;
  };

  return {
    fromClient: (chunk) => {
      let bytes = chunk;
      if (!isGreeted) {
        isGreeted = true;
        toServer(chunk.subarray(0, 8));
        bytes = chunk.subarray(8);
      }
      for (const frame of cutClient(bytes)) {
        const number = frame.readUInt16BE(1);
        const channel = channelOf(number);
        if (idOf(frame) === publish) {
          channel.held = [frame];
          continue;
        }
        if (channel.held.length > 0) {
          channel.held.push(frame);
          if (frame[0] === 2) channel.bodyLeft = Number(frame.readBigUInt64BE(11));
          else channel.bodyLeft -= frame.readUInt32BE(3);
          if (channel.bodyLeft > 0) continue;
          const frames = channel.held;
          channel.held = [];
          if (!pass(number, channel, frames)) return;
        } else if (!pass(number, channel, [frame])) return;
      }
    },
    fromServer: (chunk) => {
      for (const frame of cutServer(chunk)) {
        const number = frame.readUInt16BE(1);
        const channel = channelOf(number);
        const id = idOf(frame);
        if (id === consumeOk) {
          const [tag = ''] = shortStrings(frame, 11, 1);
          if (channel.asked.shift()?.startsWith('amq.')) channel.silent.add(tag);
        } else if (id === deliver || id === getOk) {
          const [consumer = ''] = id === deliver ? shortStrings(frame, 11, 1) : [''];
          const at = id === deliver ? 12 + Buffer.byteLength(consumer) : 11;
          const [exchange = '', routingKey = ''] = shortStrings(frame, at + 9, 2);
          if (!channel.silent.has(consumer)) {
            const kind = kindOf(exchange, routingKey);
            channel.unacked.set(Number(frame.readBigUInt64BE(at)), kind);
            tell();
            const name = `deliver ${kind}`;
            if (gate.fateOf({ key: name, name, isEffect: false, hasAnswer: false }) !== 'passes') return;
          }
        } else if (id === ack || id === nack) {
          covered(channel.unconfirmed, frame).forEach((place) => channel.unconfirmed.delete(place));
          tell();
        }
        if (isAnswer) {
          if (isAnswer(number, id, frame)) return gate.answered();
        } else toClient(frame);
      }
    },
  };
};

// HTTP, to servers outside

/** An operation is a request on a connection that carries one at a time. */
export const httpWire: Protocol = (connection) => {
  const { gate, toServer, toClient } = connection;
  let isLast = false;
  return {
    fromClient: (chunk) => {
      const [, verb, path] = /^(GET|POST|PUT|PATCH|DELETE) (\S+) HTTP/.exec(chunk.toString('latin1', 0, 2_000)) ?? [];
      if (verb && path) {
        const name = `${verb} ${path.replace(/\?.*/, '').replace(/_[A-Za-z0-9]{6,}/g, '_?')}`;
        const fate = gate.fateOf({ key: name, name, isEffect: verb !== 'GET', hasAnswer: true });
        if (fate === 'before') return;
        isLast = fate === 'after';
        gate.busy(connection, 1);
      }
      toServer(chunk);
    },
    fromServer: (chunk) => {
      gate.busy(connection, 0);
      if (isLast) return gate.answered();
      toClient(chunk);
    },
  };
};

export interface WireProxy {
  /** The address that it stands before, with the proxy's own host and port. */
  url: string;
  /** Ends every connection and takes no new one. */
  cut(): void;
}

/** Stands between one life of a service and a server, and reads along. */
export async function wireProxy(target: string, protocol: Protocol, gate: Gate): Promise<WireProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<net.Socket>();
  const keep = (socket: net.Socket) => {
    open.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => open.delete(socket));
  };
  const server = net.createServer((client) => {
    if (gate.isClosed) return void client.destroy();
    const upstream = net.connect(Number(port), hostname);
    keep(client);
    keep(upstream);
    const connection: Connection = {
      gate,
      toServer: (bytes) => void upstream.write(bytes),
      toClient: (bytes) => void client.write(bytes),
    };
    const wire = protocol(connection);
    let isMine = false;
    client.on('data', (chunk: Buffer) => {
      if (gate.isClosed) return;
      wire.fromClient(chunk);
      isMine = gate.isClosed;
    });
    // Of a closed life only the connection of its last operation is listened to.
    upstream.on('data', (chunk: Buffer) => {
      if (!gate.isClosed || isMine) wire.fromServer(chunk);
    });
    client.once('close', () => {
      upstream.destroy();
      gate.busy(connection, 0);
    });
    upstream.once('close', () => client.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    cut: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
