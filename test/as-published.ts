/** What the program starts beside itself is started as it is published (build-program.ts), and does not read its sources each time. */
export const asPublished = (code: string): string =>
  code.replace(
    /join\(import\.meta\.dirname, `([a-z-]+)\$\{extname\(import\.meta\.filename\)\}`\)/,
    (_, name) => `join(process.env.PAYRUN_TEST_PROGRAM, '../${name}.mjs')`,
  );
