import { z } from 'zod';

const host = /^[a-z\d.-]+:\d{1,5}$/;

/** Environment of a service that calls addresses which customers typed: `baseConfig.extend({ ...outgoingHttpConfig })`. */
export const outgoingHttpConfig = {
  OUTGOING_HTTP_HOSTS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((each) => each.trim().toLowerCase())
        .filter(Boolean),
    )
    .refine((hosts) => hosts.every((each) => host.test(each)), 'must be host:port, several by commas')
    .describe(
      'host:port, by commas, that customers’ addresses may name without TLS and in private networks, such as a test server; none in production',
    ),
};
