import { Socket } from 'node:net';
import { testBroker, type TestBroker } from '@decola/testing';
import { connectBroker } from '../src/index.js';
import { withShortConnection } from '../src/short-connection.js';

describe('a connection to the broker', () => {
  let broker: TestBroker;
  beforeAll(async () => {
    broker = await testBroker();
  });
  afterAll(() => broker?.dispose());

  it('sends small frames at once: an acknowledgement does not hold back what follows it', async () => {
    const noDelay = jest.spyOn(Socket.prototype, 'setNoDelay');
    const connection = connectBroker(broker.url, 'test');
    await connection.connect();
    await withShortConnection(broker.url, () => Promise.resolve(), { name: 'test' });
    await connection.close();
    const calls = noDelay.mock.calls.map(([on]) => on);
    noDelay.mockRestore();
    expect(calls).toEqual([true, true]);
  });
});
