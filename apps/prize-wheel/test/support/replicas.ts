import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceProcess, testSigningKey } from '@decola/testing';
import { type TestWheel, wheelEnvironment, type WheelUnderTest } from './wheel.js';

/** Starts a replica of the service as a process of its own, which can be killed, on the database and broker of the test. */
export const startReplica = ({ database, broker }: WheelUnderTest, port: number): Promise<ServiceProcess> =>
  ServiceProcess.start('prize-wheel', {
    PORT: String(port),
    LOG_LEVEL: 'error',
    DATABASE_URL: database.url,
    RABBITMQ_URL: broker.url,
    INTERNAL_SIGNING_KEY: testSigningKey,
    ...wheelEnvironment,
  });

/**
 * Spins until there is an answer, with the same key each time, on whichever replica listens.
 * @param onLost called when a replica was killed before it answered: nobody knows whether its draw was committed
 */
export async function spinUntilAnswered(
  { post }: WheelUnderTest,
  { address }: TestWheel,
  ports: readonly number[],
  { handle, spinKey, onLost = () => undefined }: { handle: string; spinKey: string; onLost?: () => void },
) {
  for (let attempt = randomInt(ports.length); ; attempt++) {
    try {
      const { status, body } = await post(
        { ...address, leadData: { instagram: handle }, spinKey },
        `http://127.0.0.1:${ports[attempt % ports.length]}`,
      );
      if (status === 200) return body;
      expect(status).toBe(503);
    } catch (error) {
      if ((error as Error).name !== 'TypeError') throw error;
      onLost();
    }
    await sleep(20);
  }
}
