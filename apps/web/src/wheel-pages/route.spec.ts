import { isWheelPagePath, wheelPagePaths } from '@decola/contracts';
import { routeOf } from './route';

const at = (pathname: string, search = '') => routeOf({ pathname, search });

it.each(wheelPagePaths)('has a page for %s, as the gateway does', (path) => {
  const pathname = path.replace(/:\w+/, 'abc');
  expect(isWheelPagePath(pathname)).toBe(true);
  expect(at(pathname)).not.toBeNull();
  expect(at(`${pathname.toUpperCase()}/`)).not.toBeNull();
});

it.each(['/comprovante', '/auditoria/x', '/adm', '/'])('has none for %s', (path) => {
  expect(isWheelPagePath(path)).toBe(false);
  expect(at(path)).toBeNull();
});

it('reads the wheel’s id and token, and a code that is percent-encoded', () => {
  expect(at('/prize-wheel/abc', '?token=t&x=1')).toEqual({ page: 'wheel', automationId: 'abc', token: 't' });
  expect(at('/prize-wheel/abc')).toEqual({ page: 'wheel', automationId: 'abc', token: null });
  expect(at('/comprovante/K7QF%2D3MZP')).toEqual({ page: 'receipt', code: 'K7QF-3MZP' });
  expect(at('/comprovante/%E0%A4%A')).toEqual({ page: 'receipt', code: '%E0%A4%A' });
});

it('shows a wheel’s page without an id, which says so', () => {
  for (const path of ['/prize-wheel', '/prize-wheel/']) {
    expect(isWheelPagePath(path)).toBe(true);
    expect(at(path, '?token=t')).toEqual({ page: 'wheel', automationId: '', token: 't' });
  }
});
