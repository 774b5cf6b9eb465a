import { wheelSettings } from '@decola/contracts';
import { storedSettings } from './stored-settings';

it.each([
  [{}],
  [{ promotion: null, options: null, notices: null }],
  [{ promotion: { startsAt: '', endsAt: null }, options: {}, notices: {} }],
  [{ promotion: { startsAt: '2026-11-01T12:00:00Z', endsAt: '2026-12-01T12:00:00-03:00' } }],
  [{ options: { publishAudit: true }, notices: { leads: 'each' } }],
  [{ options: { publishAudit: false }, notices: { leads: 'none' } }],
  [{ options: { publishAudit: null }, notices: { leads: 'daily' } }],
])('reads %j as the server does', (configuration) => {
  const { promotion, options, notices } = wheelSettings(configuration);
  expect(storedSettings(configuration)).toEqual({
    startsAt: promotion.startsAt,
    endsAt: promotion.endsAt,
    publishAudit: options.publishAudit,
    mails: notices.leads,
  });
});
