import { EventEmitter } from 'node:events';
import { defineJob } from '@decola/contracts';
import { z } from 'zod';
import { AcknowledgementTimeoutError, acknowledgementTimeoutOf } from './acknowledgement-timeout.js';
import type { BrokerConnection } from './connection.js';
import { consumeJobs } from './job-consumer.js';

/** The error that amqplib emits for RabbitMQ's message. */
const said =
  'Channel closed by server: 406 (PRECONDITION-FAILED) with message "PRECONDITION_FAILED - delivery acknowledgement on channel 1 timed out. ' +
  'Timeout value used: 1800000 ms. This timeout value can be configured, see consumers doc guide to learn more"';

describe('a job that is in hand for longer than the broker allows', () => {
  it('is distinguished from other reasons to close a channel, and has the value that is set too low', () => {
    const error = acknowledgementTimeoutOf(new Error(said), ['browser.runs.checks', 'browser.runs.scheduled']);
    expect(error).toMatchObject({ name: 'AcknowledgementTimeoutError', allowedMs: 1_800_000 });
    expect(error?.message).toMatch(/browser\.runs\.checks, browser\.runs\.scheduled .*consumer_timeout of 1800000 ms.*README/);
    expect(acknowledgementTimeoutOf(new Error('PRECONDITION_FAILED - unknown delivery tag 99'), ['q'])).toBeUndefined();
    expect(acknowledgementTimeoutOf(undefined, ['q'])).toBeUndefined();
  });

  it('is said by who consumes', async () => {
    const channel = Object.assign(new EventEmitter(), { close: () => Promise.resolve() });
    const connection = Object.assign(new EventEmitter(), { createChannel: () => channel, isConnected: () => true });
    const errors: unknown[] = [];
    const jobs = consumeJobs({
      connection: connection as unknown as BrokerConnection,
      name: 'packer',
      job: defineJob('order.pack', z.object({})),
      queues: [{ name: 'pack', weight: 1 }],
      prefetch: () => 1,
      handle: () => Promise.resolve(),
      onError: (error) => void errors.push(error),
    });
    connection.emit('disconnect', { err: new Error('read ECONNRESET') });
    connection.emit('disconnect', { err: new Error(said) });
    await jobs.stop();
    connection.emit('disconnect', { err: new Error(said) });
    expect(errors).toEqual([expect.any(AcknowledgementTimeoutError)]);
  });
});
