import { storedAccessToken } from './stored-session';

/**
 * Whether the stored session is one of an administrator of the blog (`admin_master`), read from its token without verifying it. It decides what a page
 * loads, never what is allowed: the server checks the role of every request.
 */
export function isStoredAdminMaster(): boolean {
  try {
    const [, claims = ''] = storedAccessToken()?.token.split('.') ?? [];
    const { app_metadata: metadata } = JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/'))) as {
      app_metadata?: { roles?: unknown };
    };
    return Array.isArray(metadata?.roles) && metadata.roles.includes('admin_master');
  } catch {
    return false;
  }
}
