import { metrics } from '@decola/service-kit';
import { Gauge } from 'prom-client';
import type { BrokerConnection } from './connection.js';

const connected = new Gauge({
  name: 'messaging_broker_connected',
  help: '1 while this replica is connected to RabbitMQ, else 0; by service',
  labelNames: ['service'],
  registers: [metrics],
});

/** Exports whether the connection is open. */
export function watchConnection(connection: BrokerConnection, service: string): void {
  const update = () => connected.set({ service }, connection.isConnected() ? 1 : 0);
  update();
  connection.on('connect', update);
  connection.on('disconnect', update);
}
