import amqpManager, { type AmqpConnectionManager } from 'amqp-connection-manager';
import type { ConfirmChannel } from 'amqplib';
import { withShortConnection } from './short-connection.js';

/** Declares queues, exchanges and bindings; each call of the channel's methods waits for the broker. */
export type Declaration = (channel: ConfirmChannel) => Promise<void>;

/** A service's connection to RabbitMQ, which reconnects by itself. */
export interface BrokerConnection extends AmqpConnectionManager {
  /**
   * Runs declarations on a short connection of their own, with a time limit. While a majority of the nodes is down, RabbitMQ lets the declaration of a new
   * quorum queue wait for about 10 s and then closes the whole connection (541), with all its channels: publishing and consuming must not share it.
   * @throws Error when the broker refused the declaration or did not finish it in time; it may be repeated
   */
  declare(declaration: Declaration): Promise<void>;
}

/** Longer than RabbitMQ itself waits for a quorum queue to start, so that its own refusal arrives first and it cleans up after itself. */
const declarationTimeoutMs = 15_000;

/** Opens a connection. @param name shown in the broker's management page */
export function connectBroker(url: string, name: string): BrokerConnection {
  const connection = amqpManager.connect([url], {
    heartbeatIntervalInSeconds: 10,
    reconnectTimeInSeconds: 1,
    // Gives up on a broker that accepts connections and never answers. Open connections have the heartbeat for this.
    // Without `noDelay` an acknowledgement holds back what is sent next, such as the request for another job, until the broker's TCP stack has
    // confirmed it, which takes 40 ms.
    connectionOptions: { timeout: 10_000, noDelay: true, clientProperties: { connection_name: name } },
  });
  return Object.assign(connection, {
    declare: (declaration: Declaration) =>
      withShortConnection(url, declaration, { name: `${name} declarations`, timeoutMs: declarationTimeoutMs }),
  });
}

/** Rejects while there is no connection. */
export function assertConnected(connection: AmqpConnectionManager): Promise<void> {
  return connection.isConnected() ? Promise.resolve() : Promise.reject(new Error('no connection to RabbitMQ'));
}
