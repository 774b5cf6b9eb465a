/**
 * Whether this browser holds a session of the published client, told without loading it. Good enough to choose where a link leads;
 * who is really signed in is found out there.
 */
export function isProbablySignedIn(): boolean {
  try {
    return Object.keys(localStorage).some((key) => /^sb-.+-auth-token$/.test(key));
  } catch {
    return false;
  }
}
