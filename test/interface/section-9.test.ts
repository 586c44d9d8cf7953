/** Interface 9: versioning, of which nothing is shown. */
import { expectGood, section } from './subject.ts';

section('9. Versioning', ({ says }) => {
  says(
    'Versioning scheme and version identifiers: not shown; the paths are as they are written, and no call names a version.',
    async ({ anonymous, tenant }) => {
      expectGood(await anonymous('GET', '/utils/countries'), 200);
      expectGood(await tenant('GET', '/users'), 200);
    },
  );
});
