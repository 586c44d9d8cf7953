/** What each route is for, in words for integrators, and the section of the interface that describes it. */

export interface About {
  /** null: no part of the interface, but of this service. */
  readonly section: string | null;
  readonly summary: string;
}

/** By the route's name. A route that is missing here is found by a test. */
export const about: { readonly [route: string]: About } = {
  'POST /token': { section: '4.1', summary: 'Exchange an API key and secret for a tenant token of about an hour' },
  'POST /tokens/user': { section: '4.2', summary: 'A token of 24 hours for one user' },
  'POST /users': { section: '4.3', summary: 'Create a user, or find the one with this e-mail' },
  'GET /users': { section: '4.4', summary: 'List users, active ones unless asked otherwise' },
  'GET /users/:userId': { section: '4.5', summary: 'Read a user' },
  'PATCH /users/:userId': { section: '4.6', summary: 'Change profile fields of a user' },
  'DELETE /users/:userId': { section: '4.7', summary: 'Disable a user' },
  'POST /users/:userId/kyc-documents': {
    section: '4.8',
    summary: 'Upload a KYC document: PDF, PNG or JPEG, at most 10 MB',
  },
  'GET /profile': { section: '4.9', summary: "Read the token holder's profile" },
  'PATCH /profile': { section: '4.10', summary: "Change the token holder's profile" },
  'POST /profile/momo': { section: '4.11', summary: 'Add a mobile-money account; the first becomes the default' },
  'PATCH /profile/momo/:id': { section: '4.12', summary: 'Change a mobile-money account, or make it the default' },
  'DELETE /profile/momo/:id': { section: '4.13', summary: 'Remove a mobile-money account' },
  'GET /utils/banks/:country': { section: '4.14', summary: 'The banks of a country, with codes if asked for' },
  'GET /utils/countries': { section: '4.15', summary: 'The countries and rails that payments go to or come from' },
  'POST /merchants': { section: '4.16', summary: 'Save a payout destination' },
  'GET /merchants': { section: '4.17', summary: 'List the saved destinations' },
  'GET /merchants/:id': { section: '4.18', summary: 'Read a saved destination' },
  'PATCH /merchants/:id': { section: '4.19', summary: 'Change a saved destination' },
  'POST /payments': { section: '4.20', summary: 'Create a payment; there is no idempotency key, so twice is twice' },
  'GET /payments': { section: '4.21', summary: 'List payments' },
  'GET /payments/:id': { section: '4.22', summary: 'Read a payment and where it stands' },
  'POST /payments/:id/document': {
    section: '4.23',
    summary: 'Attach a document to a payment; earlier ones are never overwritten',
  },
  'GET /payments/:id/documents': {
    section: '4.24',
    summary: "List a payment's documents with addresses for 900 seconds",
  },
  'GET /documents/:id': { section: '2.8', summary: 'Download a document by its pre-signed address' },
  'GET /openapi.json': { section: null, summary: 'This description' },
  'GET /reference': { section: null, summary: 'This description as a page' },
  'GET /health': { section: null, summary: 'Whether the service runs' },
  'GET /ready': { section: null, summary: 'Whether the service can take calls: its database answers' },
  'GET /metrics': { section: null, summary: 'Counters and durations, in the text form of Prometheus' },
};
