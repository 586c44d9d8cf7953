/** The Chromium that comes with the packages, unpacked where it can run. */
import packedChromium from '@sparticuz/chromium';

export const canRun = process.platform === 'linux' && process.arch === 'x64';

export const packedBrowser = (): Promise<string> => packedChromium.executablePath();

/** Before the first test: of two files that unpack it at once, one would start what the other still writes. */
export default async function provide(): Promise<void> {
  if (canRun) await packedBrowser();
}
