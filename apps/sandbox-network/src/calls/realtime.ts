import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Account } from '../population/accounts.js';
import type { Message } from '../state/direct.js';
import type { LedgerEntry } from '../state/ledger.js';
import type { Session } from '../state/sessions.js';
import type { World } from '../state/world.js';
import { type Language, languages } from '../texts/texts.js';
import type { Call, Subject } from './call.js';
import type { CallGuard } from './guard.js';
import { loginRequired } from './objection-answers.js';
import { WebSocketPeer } from './web-socket.js';

/** A message that the page sends. */
interface Outgoing {
  type: 'send';
  lsd: string;
  dtsg: string;
  language: Language;
  thread: string;
  text: string;
  /** A number that the page gives the message, to recognise the network's words about it. */
  otid: string;
}

/**
 * What the network says about a message. `accepted`: the page shows its bubble; `delivered`: it has arrived; `failed`: it has not;
 * `refused`: the whole account is refused. A lost message is never mentioned.
 */
type Incoming =
  | { type: 'accepted' | 'delivered'; otid: string }
  | { type: 'failed'; otid: string; reason: 'blocked' | 'not_allowed' | 'invite_pending' | 'failed' }
  | { type: 'refused'; otid: string; status: number; body: unknown }
  | { type: 'message'; thread: string };

/** A message on its way to its recipient. */
interface Sending {
  call: Call;
  subject: Subject & { action: 'message' };
  message: Outgoing;
  recipient: Account | undefined;
  tell: (message: Incoming) => void;
  hangUp: () => void;
}

const path = '/ws/realtime';
/** Messages whose numbers are remembered, so that a copied one is noticed; the oldest are forgotten first. */
const rememberedNumbers = 5_000;

/**
 * Direct messages leave the page over a WebSocket, in binary frames that nobody else can read, and are answered in such frames. What became
 * of a message is therefore visible only in the page.
 */
export function realtime(app: FastifyInstance, world: World, guard: CallGuard): void {
  const peers = new Set<WebSocketPeer>();
  const numbers = new Set<string>();

  app.server.on('upgrade', (request, socket) => {
    const cookies = app.parseCookie(request.headers.cookie ?? '');
    const verdict = world.sessions.read(cookies);
    const isOwnPage = request.headers.origin !== undefined && new URL(request.headers.origin).host === request.headers.host;
    if (new URL(request.url ?? '/', 'http://network').pathname !== path || verdict.kind !== 'active' || !isOwnPage) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    if (!WebSocketPeer.shake(request, socket)) return;
    const { session } = verdict;
    const tell = (message: Incoming): void => peer.send(seal(message));
    const peer = new WebSocketPeer(socket, (bytes) => {
      const message = unseal(bytes);
      if (!message) {
        guard.record({ session, build: world.build }, { action: 'call', target: path, targetId: null }, 'refused', {
          verdicts: ['forged_call'],
          detail: { faults: ['frame'] },
        });
        return peer.close();
      }
      if (world.sessions.read(cookies).kind !== 'active')
        return tell({ type: 'refused', otid: message.otid, status: 403, body: loginRequired });
      void receive(session, message, tell, () => peer.close());
    });
    peers.add(peer);
    const stop = world.direct.listen((message: Message) => {
      if (message.to === session.pk) tell({ type: 'message', thread: message.thread });
    });
    socket.on('close', () => {
      peers.delete(peer);
      stop();
    });
  });
  app.addHook('preClose', () => {
    for (const peer of peers) peer.close();
  });

  async function receive(session: Session, message: Outgoing, tell: Sending['tell'], hangUp: Sending['hangUp']): Promise<void> {
    const viewer = world.accounts.byId(session.pk);
    if (!viewer) return;
    const { otid } = message;
    const recipient = world.direct.otherIn(message.thread, viewer);
    const call = callOf(session, viewer, message);
    const subject = { action: 'message' as const, target: recipient?.username ?? null, targetId: recipient?.pk ?? null };
    const faults = faultsOf(session, message);
    if (faults.length > 0) {
      call.verdicts.push('forged_call');
      guard.record(call, subject, 'refused', { verdicts: call.verdicts, detail: { text: message.text, thread: message.thread, faults } });
      return tell({ type: 'failed', otid, reason: 'failed' });
    }
    // Only the sending is an action; a slow delivery keeps nobody from the next one.
    const sent = await guard.judge.whileActing(call, () => Promise.resolve(send({ call, subject, message, recipient, tell, hangUp })));
    if (!sent) return;
    await wait(sent.delayMs);
    if (sent.stored) world.direct.deliver(sent.stored);
    world.changed();
    tell({ type: 'delivered', otid });
  }

  /** @returns the message that is under way, null when it will not arrive; undefined `stored`: the page is told that it has, but it has not. */
  function send({ call, subject, message, recipient, tell, hangUp }: Sending): { stored: Message | undefined; delayMs: number } | null {
    const { session, viewer } = call;
    const { otid, text, thread } = message;
    guard.judge.action(call, subject);
    const { objection, delayMs } = world.objections.apply(viewer.username, 'message', subject.target);
    const kind = objection?.kind ?? null;
    const answer = objection && guard.answerOf(call, objection);
    const record = (result: LedgerEntry['result'], more: Record<string, string> = {}): null => {
      guard.record(call, subject, result, { objection: kind, verdicts: call.verdicts, detail: { text, thread, ...more } });
      return null;
    };
    if (kind === 'login_required' || kind === 'login_redirect') world.sessions.end(session, 'logout');
    if (answer) {
      tell({ type: 'refused', otid, status: answer.status, body: answer.location ? { location: answer.location } : answer.body });
      return record('objected');
    }
    if (kind === 'spinner_for_ever') {
      tell({ type: 'accepted', otid });
      return record('objected');
    }
    if (kind === 'message_lost' || kind === 'unchanged') return record('undone');
    if (kind === 'connection_lost') {
      hangUp();
      return record('objected');
    }
    const permission = recipient ? world.direct.permission(viewer, recipient) : 'blocked';
    if (kind === 'message_failed' || !recipient || permission !== 'allowed') {
      const reason = permission === 'not_allowed_after_sending' ? 'not_allowed' : permission === 'allowed' ? 'failed' : permission;
      tell({ type: 'failed', otid, reason });
      return record('refused', { reason });
    }
    tell({ type: 'accepted', otid });
    const folder = world.direct.folderOf(viewer, recipient);
    const isKept = kind !== 'undone_after_reload';
    const stored = isKept ? world.direct.send(viewer, recipient, text) : undefined;
    record(isKept ? 'done' : 'undone', { folder });
    world.objections.actionSucceeded(viewer.username);
    return { stored, delayMs };
  }

  function callOf(session: Session, viewer: Account, { lsd, language }: Outgoing): Call {
    const ticket = world.tokens.readLsd(lsd);
    return {
      name: 'message',
      session,
      viewer,
      build: (ticket && world.buildOf(ticket.revision)) ?? world.build,
      language: languages.find((known) => known === language) ?? 'en',
      operation: null,
      variables: {},
      verdicts: [],
      hasClaim: true,
      refusedYetDone: null,
    };
  }

  /** Names what a page of this network would not have sent. */
  function faultsOf(session: Session, { lsd, dtsg, otid }: Outgoing): string[] {
    const faults: string[] = [];
    if (world.tokens.readLsd(lsd)?.sessionId !== session.id) faults.push('lsd');
    if (!world.tokens.belongsTogether(lsd, dtsg)) faults.push('dtsg');
    if (numbers.has(otid)) faults.push('replayed');
    if (numbers.size >= rememberedNumbers) numbers.delete(numbers.values().next().value ?? '');
    numbers.add(otid);
    return faults;
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

const keyLength = 16;

/** Makes the bytes of a frame unreadable: a random key, then the text mixed with it. The page does the same. */
function mix(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, place) => byte ^ (((key[place % keyLength] ?? 0) + place) % 256));
}

function seal(message: Incoming): Buffer {
  const key = randomBytes(keyLength);
  return Buffer.concat([key, mix(key, Buffer.from(JSON.stringify(message)))]);
}

function unseal(bytes: Buffer): Outgoing | null {
  try {
    const message = JSON.parse(Buffer.from(mix(bytes.subarray(0, keyLength), bytes.subarray(keyLength))).toString()) as Partial<Outgoing>;
    return message.type === 'send' && typeof message.text === 'string' && typeof message.otid === 'string' ? (message as Outgoing) : null;
  } catch {
    return null;
  }
}
