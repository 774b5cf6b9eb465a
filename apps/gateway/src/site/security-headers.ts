import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Helmet sets all of its headers unless they are switched off. Answers of the APIs need only `X-Content-Type-Options`. */
const everyAnswer = {
  contentSecurityPolicy: false,
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xPoweredBy: false,
  xXssProtection: false,
} satisfies FastifyHelmetOptions;

export interface PageHeaderOptions {
  /** Sources that may show the page in a frame. Default: nobody */
  frameAncestors?: readonly string[];
  /** The address holds a secret: it is told to no other page. Default: false */
  hidesAddress?: boolean;
}

const page = ({ frameAncestors = [], hidesAddress = false }: PageHeaderOptions, isHttps: boolean) => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: [`'self'`],
      imgSrc: [`'self'`, 'data:', 'https:'],
      styleSrc: [`'self'`, `'unsafe-inline'`],
      fontSrc: [`'self'`, 'data:'],
      connectSrc: [`'self'`],
      objectSrc: [`'none'`],
      baseUri: [`'self'`],
      formAction: [`'self'`],
      frameAncestors: frameAncestors.length > 0 ? [...frameAncestors] : [`'none'`],
    },
  },
  referrerPolicy: { policy: hidesAddress ? ('no-referrer' as const) : ('strict-origin-when-cross-origin' as const) },
  strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : (false as const),
  // The older header knows only 'nobody' and 'the same site'.
  xFrameOptions: frameAncestors.length > 0 ? (false as const) : { action: 'deny' as const },
});

/** Adds the headers of a page. */
export type SetPageHeaders = (reply: FastifyReply, options?: PageHeaderOptions) => void;

/** Sets the security headers of every answer. @returns what adds those of a page */
export async function registerSecurityHeaders(fastify: FastifyInstance, { isHttps }: { isHttps: boolean }): Promise<SetPageHeaders> {
  await fastify.register(helmet, everyAnswer);
  return (reply, options = {}) => {
    reply.helmet(page(options, isHttps));
    void reply.header('permissions-policy', 'camera=(), microphone=(), geolocation=()'); // Helmet does not offer it
  };
}
