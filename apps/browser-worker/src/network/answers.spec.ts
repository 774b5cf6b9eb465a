import { answerWith as answer } from '../../test/support/answers.js';
import { isQueryError, parseBody, rootOf } from './answers.js';

describe('errors in an answer', () => {
  const errors = [{ code: 1675030, message: 'A server error field_exception occured.' }];
  it.each([
    ['null', { data: null, errors }],
    ['absent', { errors, status: 'ok' }],
    ['with nothing but null roots', { data: { xdt_create_friendship: null }, errors }],
  ])('mean that the query failed when `data` is %s', (_, json) => expect(isQueryError({ json })).toBe(true));

  it('concern only a part of it when a root field has a value', () =>
    expect(isQueryError({ json: { data: { user: { pk: '1' } }, errors: [{ path: ['user', 'profile_context'] }] } })).toBe(false));
});

describe('a body', () => {
  it('is parsed with or without its guard', () =>
    expect(parseBody('for (;;);{"error":1357004}')).toEqual({ json: { error: 1357004 }, further: [], notJson: null }));
  it('may contain several documents, and the root field may be in any of them', () => {
    const body = parseBody('{"data":{}}\n{"label":"x","data":{"xdt_viewer":{"user":{"id":"42"}}}}');
    expect(body).toEqual({ json: { data: {} }, further: [{ label: 'x', data: { xdt_viewer: { user: { id: '42' } } } }], notJson: null });
    expect(rootOf(answer(body), 'xdt_viewer')).toEqual({ user: { id: '42' } });
  });
  it('that is not JSON says what it is', () => {
    expect(parseBody('<!DOCTYPE html><html>').notJson).toBe('html');
    expect(parseBody('').notJson).toBe('empty');
    expect(parseBody('Not Found').notJson).toBe('Not Found');
  });
});
