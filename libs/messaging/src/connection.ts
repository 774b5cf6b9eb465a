import amqpManager, { type AmqpConnectionManager } from 'amqp-connection-manager';

/** One connection that comes back by itself. `name` shows in the broker's management page. */
export function connectBroker(url: string, name: string): AmqpConnectionManager {
  return amqpManager.connect([url], {
    heartbeatIntervalInSeconds: 10,
    reconnectTimeInSeconds: 1,
    connectionOptions: { clientProperties: { connection_name: name } },
  });
}

/** Rejects while there is no connection. */
export function assertConnected(connection: AmqpConnectionManager): Promise<void> {
  return connection.isConnected() ? Promise.resolve() : Promise.reject(new Error('no connection to RabbitMQ'));
}
