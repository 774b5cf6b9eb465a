import { Refusal } from '@decola/service-kit';
import pg from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { isOutage, unreachable } from './outage.js';

const sqlState = (code: string) => Object.assign(new pg.DatabaseError('terminating connection', 0, 'error'), { code });
const network = (code: string) => Object.assign(new Error(`read ${code}`), { code });
const failedQuery = (driverError: Error) => new QueryFailedError('select 1', [], driverError);

describe('isOutage', () => {
  it.each(['57P01', '57P02', '57P03', '57P05', '08000', '08003', '08006', '08001', '08P01', '53300', '25006'])(
    'recognises SQLSTATE %s',
    (code) => {
      expect(isOutage(sqlState(code))).toBe(true);
      expect(isOutage(failedQuery(sqlState(code)))).toBe(true);
      expect(isOutage(new Error('the job failed', { cause: failedQuery(sqlState(code)) }))).toBe(true);
    },
  );

  it.each(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'])('recognises %s during a query', (code) => {
    expect(isOutage(failedQuery(network(code)))).toBe(true);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Query read timeout',
    'timeout exceeded when trying to connect',
  ])('recognises "%s"', (message) => {
    expect(isOutage(new Error(message))).toBe(true);
    expect(isOutage(failedQuery(new Error(message)))).toBe(true);
  });

  it('recognises any failure to connect, whatever its reason', () => {
    expect(isOutage(Object.assign(network('ECONNREFUSED'), { [unreachable]: true }))).toBe(true);
    expect(isOutage(Object.assign(sqlState('28P01'), { [unreachable]: true }))).toBe(true);
  });

  it('recognises a connection that broke between two queries of a transaction', () => {
    expect(isOutage(new QueryRunnerAlreadyReleasedError())).toBe(true);
  });

  it('recognises a failure to connect among those of several addresses', () => {
    expect(isOutage(new AggregateError([network('ECONNREFUSED'), Object.assign(network('ECONNREFUSED'), { [unreachable]: true })]))).toBe(
      true,
    );
  });

  it.each([
    ['a mail server that refuses a connection', network('ECONNREFUSED')],
    ['a broken connection to somebody else', new Error('Stripe', { cause: network('ECONNRESET') })],
    ['a duplicate', failedQuery(sqlState('23505'))],
    ['a deadlock', failedQuery(sqlState('40P01'))],
    ['a statement that took too long', failedQuery(sqlState('57014'))],
    ['a wrong password said by somebody else', sqlState('28P01')],
    ['a refusal with the code of one', new Refusal(405, '25006', 'cannot execute it in a read-only transaction')],
    ['a bug', new TypeError('x is undefined')],
    ['no error', undefined],
    ['a text', '57P01'],
  ])('does not accept %s', (_, error) => {
    expect(isOutage(error)).toBe(false);
  });

  it('ends on circular causes', () => {
    const error = new Error('circular');
    error.cause = error;
    expect(isOutage(error)).toBe(false);
  });
});
