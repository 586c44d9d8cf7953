/** Tokens (interface 4.1, 4.2, 5). */
import { z } from 'zod';

export const tokenRequest = z.object({ apiKey: z.string().min(1), apiSecret: z.string().min(1) });

/** `expiry` is Unix time in milliseconds. */
// The interface does not show the name of the token field in the answer of POST /token (interface 4.1). In this service the field is `token`.
export const tokenAnswer = z.object({ token: z.string(), expiry: z.number().int() });

export const userTokenRequest = z.object({ userId: z.string().min(1) });

// The interface does not show the field names of the answer of POST /tokens/user (interface 4.2). In this service the answer has the fields of POST /token.
export const userTokenAnswer = tokenAnswer;
