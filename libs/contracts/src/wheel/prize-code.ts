/** Crockford's base 32: no I, L, O or U, which people confuse with 1, 0 and V. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const letters = 10;
const checkModulus = 31;

/** Bytes of randomness that a code is made of: 10 letters of 5 bits are 50 bits; the last 6 bits are not used. */
export const prizeCodeBytes = 7;

const valueOf = (letter: string): number => alphabet.indexOf(letter);

/** Σ position · value modulo 31, so that one wrong letter, or two neighbours in the wrong order, are noticed. */
function checkLetterOf(code: string): string {
  const sum = Array.from(code).reduce((total, letter, index) => total + (index + 1) * valueOf(letter), 0);
  return alphabet.charAt(sum % checkModulus);
}

/**
 * Makes the code of a prize: ten random letters and a check letter, without separators, as it is stored.
 * @param random at least `prizeCodeBytes` random bytes
 */
export function prizeCodeOf(random: Uint8Array): string {
  let bits = 0n;
  for (const byte of random.subarray(0, prizeCodeBytes)) bits = (bits << 8n) | BigInt(byte);
  bits >>= BigInt(prizeCodeBytes * 8 - letters * 5);
  let code = '';
  for (let letter = 0; letter < letters; letter++) {
    code = alphabet.charAt(Number(bits & 31n)) + code;
    bits >>= 5n;
  }
  return code + checkLetterOf(code);
}

/**
 * Reads a code as a person types it: any case, spaces and hyphens anywhere, O for 0, I and L for 1.
 * @returns the code as it is stored; undefined when a letter is wrong or missing
 */
export function readPrizeCode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  if (code.length !== letters + 1 || Array.from(code).some((letter) => valueOf(letter) < 0)) return undefined;
  return checkLetterOf(code.slice(0, letters)) === code.charAt(letters) ? code : undefined;
}

/** Writes a stored code for people: `K7QF-3MZP-9DX`. */
export const formatPrizeCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`;
