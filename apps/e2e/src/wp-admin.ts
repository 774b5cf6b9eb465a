import { expect, type Page } from '@playwright/test';

/** A WordPress, and who owns it. */
interface WordPress {
  origin: string;
  admin: { user: string; password: string };
}

/** Logs in to a WordPress as its owner. */
export async function enterWordPress(page: Page, { origin, admin }: WordPress): Promise<void> {
  await page.goto(`${origin}/wp-login.php`);
  await page.locator('#user_login').fill(admin.user);
  await page.locator('#user_pass').fill(admin.password);
  await page.locator('#wp-submit').click();
  await expect(page.locator('#wpadminbar')).toBeVisible();
}

/** Uploads a plugin and activates it, as its owner does under Plugins, Add new, Upload. */
export async function installPlugin(page: Page, { origin }: WordPress, zip: Buffer): Promise<void> {
  await page.goto(`${origin}/wp-admin/plugin-install.php?tab=upload`);
  await page.locator('#pluginzip').setInputFiles({ name: 'plugin-wordpress.zip', mimeType: 'application/zip', buffer: zip });
  await page.locator('#install-plugin-submit').click();
  await page.locator('a[href*="action=activate"]').click();
  await expect(page.locator('tr[data-slug="decola"], tr[data-plugin="decola/decola.php"]')).toHaveClass(/\bactive\b/);
}

/** Pastes the token into the plugin's settings. */
export async function pasteToken(page: Page, { origin }: WordPress, token: string): Promise<void> {
  await page.goto(`${origin}/wp-admin/options-general.php?page=decola`);
  await page.getByLabel('Token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Salvar', exact: true }).click();
  await expect(page.locator('.notice-success')).toBeVisible();
}
