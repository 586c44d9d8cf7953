/** Node's HTTP without its module: imported as one, `node:http` brings Node's WebSocket with it, as much work as loading the whole client. */
export const nodeHttp = () => process.getBuiltinModule('node:http');
