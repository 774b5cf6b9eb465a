import { callManagement, type OwnBroker, ownBroker } from '@decola/testing';
import { events } from './suites/events.js';
import { jobs } from './suites/jobs.js';

/** The other tests run with the broker of this machine, which may be the oldest that is supported. */
describe('on the newest RabbitMQ that is supported', () => {
  let broker: OwnBroker;

  beforeAll(async () => {
    broker = await ownBroker({ isNewest: true });
  });
  afterAll(() => broker?.dispose());

  it('of major version 4', async () => {
    const { rabbitmq_version: version } = await callManagement<{ rabbitmq_version: string }>(broker.managementUrl, 'GET', '/overview');
    expect(version).toMatch(/^4\./);
  });

  describe('events', () => events(() => broker));
  describe('jobs', () => jobs(() => broker));
});
