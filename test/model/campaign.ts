/** The long campaign: `node --max-old-space-size=8000 test/model/campaign.ts`. Ends with 1 if anything was found. */
import { campaign } from './environments.ts';
import { explore } from './protocol.ts';

let states = 0;
for (const { name, bounds, rules, properties } of campaign) {
  const result = explore(bounds, rules, properties === undefined ? {} : { properties });
  states += result.states;
  const { exhausted, finding } = result;
  const end =
    finding !== null ? `breaks ${finding.property}` : exhausted ? 'exhausted, nothing found' : 'not exhausted';
  console.log(`${result.states.toLocaleString('en')} states: ${name}: ${end}`);
  if (finding === null) continue;
  console.log(finding.trace.map((label, index) => `  ${index + 1}. ${label}`).join('\n'));
  process.exitCode = 1;
}
console.log(`${states.toLocaleString('en')} states`);
