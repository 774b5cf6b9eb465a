import { get } from 'node:http';
import type { WordPress } from '../../testing/wordpress.js';

/** Somebody at a browser, without the browser: keeps cookies. */
export class Visitor {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly site: WordPress) {}

  /** Logs in by WordPress's own page. */
  async logIn({ user, password } = this.site.admin): Promise<void> {
    this.cookies.set('wordpress_test_cookie', 'WP%20Cookie%20check');
    const { status } = await this.post('/wp-login.php', { log: user, pwd: password, testcookie: '1' });
    if (status !== 302) throw new Error(`${user} could not log in: ${status}`);
  }

  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async get(path: string): Promise<string> {
    const response = await this.ask(path, {});
    return response.text();
  }

  /** Opens a page by a connection of its own: PHP's own server lets requests of one connection wait for each other. @returns the status */
  visit(path: string): Promise<number> {
    return new Promise((resolve, reject) => {
      get(this.site.origin + path, { agent: false, headers: { cookie: this.header } }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      }).on('error', reject);
    });
  }

  post(path: string, fields: Record<string, string>): Promise<Response> {
    return this.ask(path, { method: 'POST', body: new URLSearchParams(fields) });
  }

  private async ask(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(this.site.origin + path, { ...init, redirect: 'manual', headers: { cookie: this.header } });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name !== undefined && value !== undefined) this.cookies.set(name, value);
    }
    return response;
  }
}

/** The nonce of a form, by the form's action. */
export function nonceOf(page: string, action: string): string {
  const form = page.slice(page.indexOf(`name="action" value="${action}"`));
  const nonce = /name="_wpnonce" value="([^"]+)"/.exec(form)?.[1];
  if (!page.includes(`value="${action}"`) || !nonce) throw new Error(`no form ${action}: ${page.slice(0, 500)}`);
  return nonce;
}
