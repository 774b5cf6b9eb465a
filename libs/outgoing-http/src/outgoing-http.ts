import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicIp, publicUrlProblem, type PublicUrlProblem } from '@decola/service-kit';
import { Agent, type Dispatcher, request } from 'undici';
import { callErrorOf, OutgoingCallError } from './outgoing-call-error.js';

/** From the first attempt to connect to the last byte of the answer. */
const totalMs = 10_000;
const connectMs = 5_000;
const answerBytes = 256 * 1024;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Redirects that a download follows, one after the other. */
const maxRedirects = 3;

export interface OutgoingHttpOptions {
  /** `OUTGOING_HTTP_HOSTS`: only for these `host:port` the rules of scheme, port and private networks do not apply. */
  plainHosts?: readonly string[];
  /** Resolves names; default: the system's resolver. */
  lookup?: LookupFunction;
  timeoutMs?: number;
}

export interface OutgoingRequest {
  method: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** Follows at most three redirects (301, 302, 307, 308) that stay at the same site, with the same method and body. Default: none is followed. */
  followsSameSite?: boolean;
  /** Ends the call sooner than its own limit. */
  signal?: AbortSignal;
}

export interface OutgoingAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The first 256 KiB. */
  body: string;
  /** The address that answered. */
  url: string;
}

export interface OutgoingDownload {
  headers?: Readonly<Record<string, string>>;
  /** A longer file is not read to its end. */
  maxBytes: number;
}

export interface OutgoingFile {
  status: number;
  headers: OutgoingAnswer['headers'];
  /** The whole file; null when it is longer than allowed. */
  bytes: Buffer | null;
}

/**
 * Calls addresses that customers typed, so that nobody reaches the servers of our own network through us. An address is checked twice: its text before
 * anything is sent, and each IP address that its name resolves to at the moment of connecting; the connection goes to the address that was checked, so a name
 * that resolves differently the next time (DNS rebinding) changes nothing. Redirects are followed only to the same site, and each address is checked anew.
 */
export class OutgoingHttp {
  private readonly plainHosts: readonly string[];
  private readonly timeoutMs: number;
  /** Connects to public addresses only. */
  private readonly guarded: Agent;
  /** Connects to anything, for the configured hosts only. */
  private readonly open: Agent;

  constructor({ plainHosts = [], lookup = systemLookup, timeoutMs = totalMs }: OutgoingHttpOptions = {}) {
    this.plainHosts = plainHosts;
    this.timeoutMs = timeoutMs;
    // As many connections as calls: customers of one platform share its host, and a slow one must not hold up the others.
    const limits = { pipelining: 1, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    this.guarded = new Agent({ ...limits, connect: { timeout: connectMs, lookup: publicOnly(lookup) } });
    this.open = new Agent({ ...limits, connect: { timeout: connectMs, lookup } });
  }

  /** Why this address must not be called; null when it may be tried. Its name is resolved only when it is called. */
  problemOf(address: string): PublicUrlProblem | null {
    return publicUrlProblem(address, this.plainHosts);
  }

  /** @throws OutgoingCallError when no answer came. Every answer is returned, also a redirect that is not followed, or a 500. */
  async call(address: string, { method, headers = {}, body, followsSameSite = false, signal }: OutgoingRequest): Promise<OutgoingAnswer> {
    // One limit for all redirects together.
    const limit = AbortSignal.timeout(this.timeoutMs);
    const options = { method, headers, body: body ?? null, signal: signal ? AbortSignal.any([limit, signal]) : limit };
    let current = address;
    try {
      for (let redirects = 0; ; redirects++) {
        const answer = await this.send(current, options);
        // 303 asks for another method, which would drop the body.
        const next = followsSameSite && redirects < maxRedirects && answer.statusCode !== 303 ? sameSiteRedirect(current, answer) : null;
        if (next === null) {
          const { bytes } = await readUpTo(answer.body, answerBytes);
          return { status: answer.statusCode, headers: answer.headers, body: bytes.toString('utf8'), url: current };
        }
        await answer.body.dump({ limit: answerBytes, signal: options.signal });
        current = next;
      }
    } catch (error) {
      throw callErrorOf(error);
    }
  }

  /**
   * Reads a file, such as a picture. Follows at most three redirects to the same host, with https for http and with or without `www.`; any other redirect is
   * returned as the answer.
   * @throws OutgoingCallError when no answer came
   */
  async download(address: string, { headers = {}, maxBytes }: OutgoingDownload): Promise<OutgoingFile> {
    // One limit for all redirects together.
    const signal = AbortSignal.timeout(this.timeoutMs);
    let current = address;
    try {
      for (let redirects = 0; ; redirects++) {
        const answer = await this.send(current, { method: 'GET', headers, body: null, signal });
        const next = redirects < maxRedirects ? sameSiteRedirect(current, answer) : null;
        if (next === null) return await fileOf(answer, maxBytes);
        await answer.body.dump({ limit: answerBytes, signal });
        current = next;
      }
    } catch (error) {
      throw callErrorOf(error);
    }
  }

  private async send(
    address: string,
    options: { method: 'GET' | 'POST'; headers: Readonly<Record<string, string>>; body: string | Buffer | null; signal: AbortSignal },
  ): Promise<Dispatcher.ResponseData> {
    if (this.problemOf(address) !== null) throw new OutgoingCallError('address');
    const url = new URL(address.trim());
    return request(url, {
      ...options,
      headers: { ...options.headers },
      dispatcher: this.plainHosts.includes(url.host) ? this.open : this.guarded,
    });
  }

  /** Closes idle connections and ends calls under way. */
  async close(): Promise<void> {
    await Promise.all([this.guarded.destroy(), this.open.destroy()]);
  }
}

/** A lookup that fails unless all addresses of the name are public: the one that is connected to could be any of them. */
function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : [];
      const [first] = addresses;
      if (error) done(error, '');
      else if (!first || !addresses.every(({ address }) => isPublicIp(address)))
        done(Object.assign(new OutgoingCallError('address'), { code: 'ERR_ADDRESS_NOT_PUBLIC' }), '');
      else if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

/** Where an answer redirects to; null when it does not, or leads to another site. */
function sameSiteRedirect(from: string, { statusCode, headers }: Dispatcher.ResponseData): string | null {
  const { location } = headers;
  if (!redirectStatuses.has(statusCode) || typeof location !== 'string' || !URL.canParse(location, from)) return null;
  const [old, next] = [new URL(from), new URL(location, from)];
  const bare = ({ hostname }: URL) => hostname.replace(/^www\./, '');
  const isUpgrade = old.protocol === 'http:' && next.protocol === 'https:' && old.port === '' && next.port === '';
  const isSamePlace = old.protocol === next.protocol && old.port === next.port;
  return bare(old) === bare(next) && (isSamePlace || isUpgrade) ? next.href : null;
}

async function fileOf(answer: Dispatcher.ResponseData, maxBytes: number): Promise<OutgoingFile> {
  const { statusCode: status, headers } = answer;
  const { bytes, isWhole } = await readUpTo(answer.body, maxBytes);
  return { status, headers, bytes: isWhole ? bytes : null };
}

/** Reads no further than the limit, whatever the server sends. */
async function readUpTo(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop destroys the stream, and with it the connection.
    if (length > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isWhole: length <= maxBytes };
}
