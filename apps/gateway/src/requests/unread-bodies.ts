import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { declaredLength, hasBody } from '../proxy/request-body.js';

/** An unread body of up to this length is read and discarded, so that the connection can be used again. */
const discardedBytes = 64 * 1024;
/** How long a client that is still sending a longer body may take to read the answer, before its connection is closed. */
const lingerMs = 3_000;

/** Answers that are sent before the request's body was read, as refusals are, must not make the gateway read it all. */
export function registerUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ raw }, _reply, done) => {
    // After the answer Node itself would read the rest of a body of which nothing was read yet. A first read prevents that.
    if (hasBody(raw)) raw.read(0);
    done();
  });
  fastify.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (!raw.complete && hasBody(raw)) leaveUnread(raw, reply);
    done(null, payload);
  });
}

function leaveUnread(request: IncomingMessage, reply: FastifyReply): void {
  if ((declaredLength(request) ?? Infinity) <= discardedBytes) return void request.resume();
  // The client must not send another request after a body that is not read, but must be able to read this answer.
  void reply.header('connection', 'close');
  const { socket } = request;
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}
