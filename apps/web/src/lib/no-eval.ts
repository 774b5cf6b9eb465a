import { config } from 'zod/v4/core';

// The site's content security policy forbids eval. zod looks whether it may when the first schema is made, and browsers report the try:
// it is told before.
config({ jitless: true });
