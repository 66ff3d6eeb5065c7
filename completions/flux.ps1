
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'flux' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'flux'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'flux' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Check the cluster and what is installed in it')
            [CompletionResult]::new('completion', 'completion', [CompletionResultType]::ParameterValue, 'Generate a completion script for a shell')
            [CompletionResult]::new('controller', 'controller', [CompletionResultType]::ParameterValue, 'Run one controller, or several in one process')
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Flags of every `create` command')
            [CompletionResult]::new('delete', 'delete', [CompletionResultType]::ParameterValue, 'Delete objects')
            [CompletionResult]::new('dev', 'dev', [CompletionResultType]::ParameterValue, 'Run the whole loop on this machine, without a cluster')
            [CompletionResult]::new('events', 'events', [CompletionResultType]::ParameterValue, 'Show what the controllers said about objects')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Export objects as YAML')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'List objects and their status')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Install the controllers, or upgrade them')
            [CompletionResult]::new('logs', 'logs', [CompletionResultType]::ParameterValue, 'Show the controllers'' logs')
            [CompletionResult]::new('reconcile', 'reconcile', [CompletionResultType]::ParameterValue, 'Reconcile an object now')
            [CompletionResult]::new('resume', 'resume', [CompletionResultType]::ParameterValue, 'Resume reconciliation')
            [CompletionResult]::new('suspend', 'suspend', [CompletionResultType]::ParameterValue, 'Suspend reconciliation')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'Show what an object owns, as a tree')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Remove the controllers and their definitions')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Print the client''s and the cluster''s versions')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;check' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--components', '--components', [CompletionResultType]::ParameterName, 'Controllers to check')
            [CompletionResult]::new('--components-extra', '--components-extra', [CompletionResultType]::ParameterName, 'More controllers to check')
            [CompletionResult]::new('--poll-interval', '--poll-interval', [CompletionResultType]::ParameterName, 'How often to look while waiting; health is watched, so this is accepted and not needed')
            [CompletionResult]::new('--pre', '--pre', [CompletionResultType]::ParameterName, 'Check only what has to hold before an installation')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;completion' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('bash', 'bash', [CompletionResultType]::ParameterValue, 'Generate the completion script for bash')
            [CompletionResult]::new('fish', 'fish', [CompletionResultType]::ParameterValue, 'Generate the completion script for fish')
            [CompletionResult]::new('powershell', 'powershell', [CompletionResultType]::ParameterValue, 'Generate the completion script for PowerShell')
            [CompletionResult]::new('zsh', 'zsh', [CompletionResultType]::ParameterValue, 'Generate the completion script for zsh')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;completion;bash' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;completion;fish' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;completion;powershell' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;completion;zsh' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;completion;help' {
            [CompletionResult]::new('bash', 'bash', [CompletionResultType]::ParameterValue, 'Generate the completion script for bash')
            [CompletionResult]::new('fish', 'fish', [CompletionResultType]::ParameterValue, 'Generate the completion script for fish')
            [CompletionResult]::new('powershell', 'powershell', [CompletionResultType]::ParameterValue, 'Generate the completion script for PowerShell')
            [CompletionResult]::new('zsh', 'zsh', [CompletionResultType]::ParameterValue, 'Generate the completion script for zsh')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;completion;help;bash' {
            break
        }
        'flux;completion;help;fish' {
            break
        }
        'flux;completion;help;powershell' {
            break
        }
        'flux;completion;help;zsh' {
            break
        }
        'flux;completion;help;help' {
            break
        }
        'flux;controller' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            break
        }
        'flux;create' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--export', '--export', [CompletionResultType]::ParameterName, 'Print the object as YAML and change nothing')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'How often to reconcile')
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Labels of the object, as KEY=VALUE,…')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Create or update a Kustomization')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Create or update sources')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;create;kustomization' {
            [CompletionResult]::new('--decryption-provider', '--decryption-provider', [CompletionResultType]::ParameterName, 'What decrypts the manifests')
            [CompletionResult]::new('--decryption-secret', '--decryption-secret', [CompletionResultType]::ParameterName, 'Secret with the decryption keys')
            [CompletionResult]::new('--depends-on', '--depends-on', [CompletionResultType]::ParameterName, 'Kustomizations that must be ready before this one, as [NAMESPACE/]NAME,…')
            [CompletionResult]::new('--health-check', '--health-check', [CompletionResultType]::ParameterName, 'Workloads to include in the health check, as KIND/NAME.NAMESPACE,…')
            [CompletionResult]::new('--health-check-timeout', '--health-check-timeout', [CompletionResultType]::ParameterName, 'How long the health check may take')
            [CompletionResult]::new('--kubeconfig-secret-ref', '--kubeconfig-secret-ref', [CompletionResultType]::ParameterName, 'Secret with the kubeconfig of the cluster to apply to')
            [CompletionResult]::new('--path', '--path', [CompletionResultType]::ParameterName, 'Directory of the source to apply, beginning with ./')
            [CompletionResult]::new('--prune', '--prune', [CompletionResultType]::ParameterName, 'Delete what is no longer in the source')
            [CompletionResult]::new('--retry-interval', '--retry-interval', [CompletionResultType]::ParameterName, 'How long to wait after a failure')
            [CompletionResult]::new('--service-account', '--service-account', [CompletionResultType]::ParameterName, 'Service account to impersonate')
            [CompletionResult]::new('--source', '--source', [CompletionResultType]::ParameterName, 'Source of the manifests, as [KIND/]NAME[.NAMESPACE]')
            [CompletionResult]::new('--target-namespace', '--target-namespace', [CompletionResultType]::ParameterName, 'Namespace for everything that is applied')
            [CompletionResult]::new('--validation', '--validation', [CompletionResultType]::ParameterName, 'Deprecated and without effect')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for everything that is applied to be healthy')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--export', '--export', [CompletionResultType]::ParameterName, 'Print the object as YAML and change nothing')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'How often to reconcile')
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Labels of the object, as KEY=VALUE,…')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;create;source' {
            [CompletionResult]::new('--fetch-timeout', '--fetch-timeout', [CompletionResultType]::ParameterName, 'How long one fetch may take')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--export', '--export', [CompletionResultType]::ParameterName, 'Print the object as YAML and change nothing')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'How often to reconcile')
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Labels of the object, as KEY=VALUE,…')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Create or update a GitRepository')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;create;source;git' {
            [CompletionResult]::new('--branch', '--branch', [CompletionResultType]::ParameterName, 'Branch to follow')
            [CompletionResult]::new('--commit', '--commit', [CompletionResultType]::ParameterName, 'Commit to stay at')
            [CompletionResult]::new('--ignore-paths', '--ignore-paths', [CompletionResultType]::ParameterName, 'Paths to leave out of the artifact, in .gitignore''s language')
            [CompletionResult]::new('--provider', '--provider', [CompletionResultType]::ParameterName, 'Cloud that gives the credentials')
            [CompletionResult]::new('--proxy-secret-ref', '--proxy-secret-ref', [CompletionResultType]::ParameterName, 'Secret with the proxy''s address and credentials')
            [CompletionResult]::new('--recurse-submodules', '--recurse-submodules', [CompletionResultType]::ParameterName, 'Fetch submodules too')
            [CompletionResult]::new('--ref-name', '--ref-name', [CompletionResultType]::ParameterName, 'Full name of the reference to follow, such as refs/pull/1/head')
            [CompletionResult]::new('--secret-ref', '--secret-ref', [CompletionResultType]::ParameterName, 'Secret with the credentials')
            [CompletionResult]::new('--sparse-checkout-paths', '--sparse-checkout-paths', [CompletionResultType]::ParameterName, 'Directories to have in the artifact, and nothing else')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Tag to stay at')
            [CompletionResult]::new('--tag-semver', '--tag-semver', [CompletionResultType]::ParameterName, 'Range of versions whose newest tag to follow')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'Address of the repository: ssh://, https:// or http://')
            [CompletionResult]::new('--fetch-timeout', '--fetch-timeout', [CompletionResultType]::ParameterName, 'How long one fetch may take')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--export', '--export', [CompletionResultType]::ParameterName, 'Print the object as YAML and change nothing')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'How often to reconcile')
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Labels of the object, as KEY=VALUE,…')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;create;source;help' {
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Create or update a GitRepository')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;create;source;help;git' {
            break
        }
        'flux;create;source;help;help' {
            break
        }
        'flux;create;help' {
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Create or update a Kustomization')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Create or update sources')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;create;help;kustomization' {
            break
        }
        'flux;create;help;source' {
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Create or update a GitRepository')
            break
        }
        'flux;create;help;source;git' {
            break
        }
        'flux;create;help;help' {
            break
        }
        'flux;delete' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('helmrelease', 'helmrelease', [CompletionResultType]::ParameterValue, 'Delete a HelmRelease object')
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Delete a Kustomization object')
            [CompletionResult]::new('receiver', 'receiver', [CompletionResultType]::ParameterValue, 'Delete a Receiver object')
            [CompletionResult]::new('alert-provider', 'alert-provider', [CompletionResultType]::ParameterValue, 'Delete a Provider object')
            [CompletionResult]::new('alert', 'alert', [CompletionResultType]::ParameterValue, 'Delete a Alert object')
            [CompletionResult]::new('image', 'image', [CompletionResultType]::ParameterValue, 'Image automation objects')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Sources of desired state')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;delete;helmrelease' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;delete;kustomization' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;delete;receiver' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;delete;alert-provider' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;delete;alert' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;delete;image' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Delete a ImageRepository object')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Delete a ImagePolicy object')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Delete a ImageUpdateAutomation object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;delete;image;repository' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;delete;image;policy' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;delete;image;update' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;delete;image;help' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Delete a ImageRepository object')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Delete a ImagePolicy object')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Delete a ImageUpdateAutomation object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;delete;image;help;repository' {
            break
        }
        'flux;delete;image;help;policy' {
            break
        }
        'flux;delete;image;help;update' {
            break
        }
        'flux;delete;image;help;help' {
            break
        }
        'flux;delete;source' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Delete a OCIRepository object')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Delete a Bucket object')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Delete a GitRepository object')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Delete a HelmRepository object')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Delete a HelmChart object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;delete;source;oci' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;delete;source;bucket' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;delete;source;git' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;delete;source;helm' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;delete;source;chart' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Delete without asking')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;delete;source;help' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Delete a OCIRepository object')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Delete a Bucket object')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Delete a GitRepository object')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Delete a HelmRepository object')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Delete a HelmChart object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;delete;source;help;oci' {
            break
        }
        'flux;delete;source;help;bucket' {
            break
        }
        'flux;delete;source;help;git' {
            break
        }
        'flux;delete;source;help;helm' {
            break
        }
        'flux;delete;source;help;chart' {
            break
        }
        'flux;delete;source;help;help' {
            break
        }
        'flux;delete;help' {
            [CompletionResult]::new('helmrelease', 'helmrelease', [CompletionResultType]::ParameterValue, 'Delete a HelmRelease object')
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Delete a Kustomization object')
            [CompletionResult]::new('receiver', 'receiver', [CompletionResultType]::ParameterValue, 'Delete a Receiver object')
            [CompletionResult]::new('alert-provider', 'alert-provider', [CompletionResultType]::ParameterValue, 'Delete a Provider object')
            [CompletionResult]::new('alert', 'alert', [CompletionResultType]::ParameterValue, 'Delete a Alert object')
            [CompletionResult]::new('image', 'image', [CompletionResultType]::ParameterValue, 'Image automation objects')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Sources of desired state')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;delete;help;helmrelease' {
            break
        }
        'flux;delete;help;kustomization' {
            break
        }
        'flux;delete;help;receiver' {
            break
        }
        'flux;delete;help;alert-provider' {
            break
        }
        'flux;delete;help;alert' {
            break
        }
        'flux;delete;help;image' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Delete a ImageRepository object')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Delete a ImagePolicy object')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Delete a ImageUpdateAutomation object')
            break
        }
        'flux;delete;help;image;repository' {
            break
        }
        'flux;delete;help;image;policy' {
            break
        }
        'flux;delete;help;image;update' {
            break
        }
        'flux;delete;help;source' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Delete a OCIRepository object')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Delete a Bucket object')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Delete a GitRepository object')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Delete a HelmRepository object')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Delete a HelmChart object')
            break
        }
        'flux;delete;help;source;oci' {
            break
        }
        'flux;delete;help;source;bucket' {
            break
        }
        'flux;delete;help;source;git' {
            break
        }
        'flux;delete;help;source;helm' {
            break
        }
        'flux;delete;help;source;chart' {
            break
        }
        'flux;delete;help;help' {
            break
        }
        'flux;dev' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--once', '--once', [CompletionResultType]::ParameterName, 'Run the demonstration, and leave with its exit code')
            [CompletionResult]::new('--path', '--path', [CompletionResultType]::ParameterName, 'Repository to reconcile: a Git repository, bare or not, or a plain directory (default: a small one of our own)')
            [CompletionResult]::new('--branch', '--branch', [CompletionResultType]::ParameterName, 'Branch to follow')
            [CompletionResult]::new('--directory', '--directory', [CompletionResultType]::ParameterName, 'Directory of the repository to apply, beginning with ./')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;events' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Show the events of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Show the events of all namespaces')
            [CompletionResult]::new('--for', '--for', [CompletionResultType]::ParameterName, 'Show only events of this object and of what it refers to, as KIND/NAME, or of one kind')
            [CompletionResult]::new('--types', '--types', [CompletionResultType]::ParameterName, 'Show only events of these types')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on showing what happens')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on showing what happens')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('helmrelease', 'helmrelease', [CompletionResultType]::ParameterValue, 'Export HelmRelease objects as YAML')
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Export Kustomization objects as YAML')
            [CompletionResult]::new('receiver', 'receiver', [CompletionResultType]::ParameterValue, 'Export Receiver objects as YAML')
            [CompletionResult]::new('alert-provider', 'alert-provider', [CompletionResultType]::ParameterValue, 'Export Provider objects as YAML')
            [CompletionResult]::new('alert', 'alert', [CompletionResultType]::ParameterValue, 'Export Alert objects as YAML')
            [CompletionResult]::new('artifact', 'artifact', [CompletionResultType]::ParameterValue, 'Artifact generators')
            [CompletionResult]::new('image', 'image', [CompletionResultType]::ParameterValue, 'Image automation objects')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Sources of desired state')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;export;helmrelease' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;kustomization' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;receiver' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;alert-provider' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;alert' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;artifact' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('generator', 'generator', [CompletionResultType]::ParameterValue, 'Export ArtifactGenerator objects as YAML')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;export;artifact;generator' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;artifact;help' {
            [CompletionResult]::new('generator', 'generator', [CompletionResultType]::ParameterValue, 'Export ArtifactGenerator objects as YAML')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;export;artifact;help;generator' {
            break
        }
        'flux;export;artifact;help;help' {
            break
        }
        'flux;export;image' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Export ImageRepository objects as YAML')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Export ImagePolicy objects as YAML')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Export ImageUpdateAutomation objects as YAML')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;export;image;repository' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;image;policy' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;image;update' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;image;help' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Export ImageRepository objects as YAML')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Export ImagePolicy objects as YAML')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Export ImageUpdateAutomation objects as YAML')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;export;image;help;repository' {
            break
        }
        'flux;export;image;help;policy' {
            break
        }
        'flux;export;image;help;update' {
            break
        }
        'flux;export;image;help;help' {
            break
        }
        'flux;export;source' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Export OCIRepository objects as YAML')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Export Bucket objects as YAML')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Export GitRepository objects as YAML')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Export HelmRepository objects as YAML')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Export HelmChart objects as YAML')
            [CompletionResult]::new('external', 'external', [CompletionResultType]::ParameterValue, 'Export ExternalArtifact objects as YAML')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;export;source;oci' {
            [CompletionResult]::new('--with-credentials', '--with-credentials', [CompletionResultType]::ParameterName, 'Export the Secret that the object refers to as well')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;source;bucket' {
            [CompletionResult]::new('--with-credentials', '--with-credentials', [CompletionResultType]::ParameterName, 'Export the Secret that the object refers to as well')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;source;git' {
            [CompletionResult]::new('--with-credentials', '--with-credentials', [CompletionResultType]::ParameterName, 'Export the Secret that the object refers to as well')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;source;helm' {
            [CompletionResult]::new('--with-credentials', '--with-credentials', [CompletionResultType]::ParameterName, 'Export the Secret that the object refers to as well')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;source;chart' {
            [CompletionResult]::new('--with-credentials', '--with-credentials', [CompletionResultType]::ParameterName, 'Export the Secret that the object refers to as well')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;source;external' {
            [CompletionResult]::new('--with-credentials', '--with-credentials', [CompletionResultType]::ParameterName, 'Export the Secret that the object refers to as well')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Export every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;export;source;help' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Export OCIRepository objects as YAML')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Export Bucket objects as YAML')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Export GitRepository objects as YAML')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Export HelmRepository objects as YAML')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Export HelmChart objects as YAML')
            [CompletionResult]::new('external', 'external', [CompletionResultType]::ParameterValue, 'Export ExternalArtifact objects as YAML')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;export;source;help;oci' {
            break
        }
        'flux;export;source;help;bucket' {
            break
        }
        'flux;export;source;help;git' {
            break
        }
        'flux;export;source;help;helm' {
            break
        }
        'flux;export;source;help;chart' {
            break
        }
        'flux;export;source;help;external' {
            break
        }
        'flux;export;source;help;help' {
            break
        }
        'flux;export;help' {
            [CompletionResult]::new('helmrelease', 'helmrelease', [CompletionResultType]::ParameterValue, 'Export HelmRelease objects as YAML')
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Export Kustomization objects as YAML')
            [CompletionResult]::new('receiver', 'receiver', [CompletionResultType]::ParameterValue, 'Export Receiver objects as YAML')
            [CompletionResult]::new('alert-provider', 'alert-provider', [CompletionResultType]::ParameterValue, 'Export Provider objects as YAML')
            [CompletionResult]::new('alert', 'alert', [CompletionResultType]::ParameterValue, 'Export Alert objects as YAML')
            [CompletionResult]::new('artifact', 'artifact', [CompletionResultType]::ParameterValue, 'Artifact generators')
            [CompletionResult]::new('image', 'image', [CompletionResultType]::ParameterValue, 'Image automation objects')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Sources of desired state')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;export;help;helmrelease' {
            break
        }
        'flux;export;help;kustomization' {
            break
        }
        'flux;export;help;receiver' {
            break
        }
        'flux;export;help;alert-provider' {
            break
        }
        'flux;export;help;alert' {
            break
        }
        'flux;export;help;artifact' {
            [CompletionResult]::new('generator', 'generator', [CompletionResultType]::ParameterValue, 'Export ArtifactGenerator objects as YAML')
            break
        }
        'flux;export;help;artifact;generator' {
            break
        }
        'flux;export;help;image' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Export ImageRepository objects as YAML')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Export ImagePolicy objects as YAML')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Export ImageUpdateAutomation objects as YAML')
            break
        }
        'flux;export;help;image;repository' {
            break
        }
        'flux;export;help;image;policy' {
            break
        }
        'flux;export;help;image;update' {
            break
        }
        'flux;export;help;source' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Export OCIRepository objects as YAML')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Export Bucket objects as YAML')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Export GitRepository objects as YAML')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Export HelmRepository objects as YAML')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Export HelmChart objects as YAML')
            [CompletionResult]::new('external', 'external', [CompletionResultType]::ParameterValue, 'Export ExternalArtifact objects as YAML')
            break
        }
        'flux;export;help;source;oci' {
            break
        }
        'flux;export;help;source;bucket' {
            break
        }
        'flux;export;help;source;git' {
            break
        }
        'flux;export;help;source;helm' {
            break
        }
        'flux;export;help;source;chart' {
            break
        }
        'flux;export;help;source;external' {
            break
        }
        'flux;export;help;help' {
            break
        }
        'flux;get' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('helmreleases', 'helmreleases', [CompletionResultType]::ParameterValue, 'List HelmRelease objects')
            [CompletionResult]::new('kustomizations', 'kustomizations', [CompletionResultType]::ParameterValue, 'List Kustomization objects')
            [CompletionResult]::new('receivers', 'receivers', [CompletionResultType]::ParameterValue, 'List Receiver objects')
            [CompletionResult]::new('alert-providers', 'alert-providers', [CompletionResultType]::ParameterValue, 'List Provider objects')
            [CompletionResult]::new('alerts', 'alerts', [CompletionResultType]::ParameterValue, 'List Alert objects')
            [CompletionResult]::new('artifacts', 'artifacts', [CompletionResultType]::ParameterValue, 'Artifact generators')
            [CompletionResult]::new('all', 'all', [CompletionResultType]::ParameterValue, 'List the objects of every kind')
            [CompletionResult]::new('sources', 'sources', [CompletionResultType]::ParameterValue, 'Sources of desired state')
            [CompletionResult]::new('images', 'images', [CompletionResultType]::ParameterValue, 'Image automation objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;get;helmreleases' {
            [CompletionResult]::new('--show-source', '--show-source', [CompletionResultType]::ParameterName, 'Show each object''s source')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;kustomizations' {
            [CompletionResult]::new('--show-source', '--show-source', [CompletionResultType]::ParameterName, 'Show each object''s source')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;receivers' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;alert-providers' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;alerts' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;artifacts' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('generators', 'generators', [CompletionResultType]::ParameterValue, 'List ArtifactGenerator objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;get;artifacts;generators' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;artifacts;help' {
            [CompletionResult]::new('generators', 'generators', [CompletionResultType]::ParameterValue, 'List ArtifactGenerator objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;get;artifacts;help;generators' {
            break
        }
        'flux;get;artifacts;help;help' {
            break
        }
        'flux;get;all' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;sources' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'List OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'List Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'List GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'List HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'List HelmChart objects')
            [CompletionResult]::new('external', 'external', [CompletionResultType]::ParameterValue, 'List ExternalArtifact objects')
            [CompletionResult]::new('all', 'all', [CompletionResultType]::ParameterValue, 'List every source')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;get;sources;oci' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;sources;bucket' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;sources;git' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;sources;helm' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;sources;chart' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;sources;external' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;sources;all' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;sources;help' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'List OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'List Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'List GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'List HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'List HelmChart objects')
            [CompletionResult]::new('external', 'external', [CompletionResultType]::ParameterValue, 'List ExternalArtifact objects')
            [CompletionResult]::new('all', 'all', [CompletionResultType]::ParameterValue, 'List every source')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;get;sources;help;oci' {
            break
        }
        'flux;get;sources;help;bucket' {
            break
        }
        'flux;get;sources;help;git' {
            break
        }
        'flux;get;sources;help;helm' {
            break
        }
        'flux;get;sources;help;chart' {
            break
        }
        'flux;get;sources;help;external' {
            break
        }
        'flux;get;sources;help;all' {
            break
        }
        'flux;get;sources;help;help' {
            break
        }
        'flux;get;images' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'List ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'List ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'List ImageUpdateAutomation objects')
            [CompletionResult]::new('all', 'all', [CompletionResultType]::ParameterValue, 'List every image automation object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;get;images;repository' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;images;policy' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;images;update' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;images;all' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'List the objects of all namespaces')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--label-selector', '--label-selector', [CompletionResultType]::ParameterName, 'List only objects with these labels, as KEY=VALUE,…')
            [CompletionResult]::new('--no-header', '--no-header', [CompletionResultType]::ParameterName, 'Leave the header out')
            [CompletionResult]::new('--status-selector', '--status-selector', [CompletionResultType]::ParameterName, 'List only objects whose condition has, or with != has not, this status')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on listing what changes')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;get;images;help' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'List ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'List ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'List ImageUpdateAutomation objects')
            [CompletionResult]::new('all', 'all', [CompletionResultType]::ParameterValue, 'List every image automation object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;get;images;help;repository' {
            break
        }
        'flux;get;images;help;policy' {
            break
        }
        'flux;get;images;help;update' {
            break
        }
        'flux;get;images;help;all' {
            break
        }
        'flux;get;images;help;help' {
            break
        }
        'flux;get;help' {
            [CompletionResult]::new('helmreleases', 'helmreleases', [CompletionResultType]::ParameterValue, 'List HelmRelease objects')
            [CompletionResult]::new('kustomizations', 'kustomizations', [CompletionResultType]::ParameterValue, 'List Kustomization objects')
            [CompletionResult]::new('receivers', 'receivers', [CompletionResultType]::ParameterValue, 'List Receiver objects')
            [CompletionResult]::new('alert-providers', 'alert-providers', [CompletionResultType]::ParameterValue, 'List Provider objects')
            [CompletionResult]::new('alerts', 'alerts', [CompletionResultType]::ParameterValue, 'List Alert objects')
            [CompletionResult]::new('artifacts', 'artifacts', [CompletionResultType]::ParameterValue, 'Artifact generators')
            [CompletionResult]::new('all', 'all', [CompletionResultType]::ParameterValue, 'List the objects of every kind')
            [CompletionResult]::new('sources', 'sources', [CompletionResultType]::ParameterValue, 'Sources of desired state')
            [CompletionResult]::new('images', 'images', [CompletionResultType]::ParameterValue, 'Image automation objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;get;help;helmreleases' {
            break
        }
        'flux;get;help;kustomizations' {
            break
        }
        'flux;get;help;receivers' {
            break
        }
        'flux;get;help;alert-providers' {
            break
        }
        'flux;get;help;alerts' {
            break
        }
        'flux;get;help;artifacts' {
            [CompletionResult]::new('generators', 'generators', [CompletionResultType]::ParameterValue, 'List ArtifactGenerator objects')
            break
        }
        'flux;get;help;artifacts;generators' {
            break
        }
        'flux;get;help;all' {
            break
        }
        'flux;get;help;sources' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'List OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'List Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'List GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'List HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'List HelmChart objects')
            [CompletionResult]::new('external', 'external', [CompletionResultType]::ParameterValue, 'List ExternalArtifact objects')
            [CompletionResult]::new('all', 'all', [CompletionResultType]::ParameterValue, 'List every source')
            break
        }
        'flux;get;help;sources;oci' {
            break
        }
        'flux;get;help;sources;bucket' {
            break
        }
        'flux;get;help;sources;git' {
            break
        }
        'flux;get;help;sources;helm' {
            break
        }
        'flux;get;help;sources;chart' {
            break
        }
        'flux;get;help;sources;external' {
            break
        }
        'flux;get;help;sources;all' {
            break
        }
        'flux;get;help;images' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'List ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'List ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'List ImageUpdateAutomation objects')
            [CompletionResult]::new('all', 'all', [CompletionResultType]::ParameterValue, 'List every image automation object')
            break
        }
        'flux;get;help;images;repository' {
            break
        }
        'flux;get;help;images;policy' {
            break
        }
        'flux;get;help;images;update' {
            break
        }
        'flux;get;help;images;all' {
            break
        }
        'flux;get;help;help' {
            break
        }
        'flux;install' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--cluster-domain', '--cluster-domain', [CompletionResultType]::ParameterName, 'Domain of the cluster''s own names')
            [CompletionResult]::new('--components', '--components', [CompletionResultType]::ParameterName, 'Controllers to install')
            [CompletionResult]::new('--components-extra', '--components-extra', [CompletionResultType]::ParameterName, 'Controllers to install as well')
            [CompletionResult]::new('--export', '--export', [CompletionResultType]::ParameterName, 'Print the manifests and change nothing')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Install even where the cluster is managed from Git')
            [CompletionResult]::new('--image-pull-secret', '--image-pull-secret', [CompletionResultType]::ParameterName, 'Secret with the registry''s credentials')
            [CompletionResult]::new('--log-level', '--log-level', [CompletionResultType]::ParameterName, 'Log level of the controllers')
            [CompletionResult]::new('--network-policy', '--network-policy', [CompletionResultType]::ParameterName, 'Let only what needs to reach the controllers')
            [CompletionResult]::new('--registry', '--registry', [CompletionResultType]::ParameterName, 'What stands before the images'' names')
            [CompletionResult]::new('--toleration-keys', '--toleration-keys', [CompletionResultType]::ParameterName, 'Taints that the controllers tolerate')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Version of the images (default: this binary''s)')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Version of the images (default: this binary''s)')
            [CompletionResult]::new('--watch-all-namespaces', '--watch-all-namespaces', [CompletionResultType]::ParameterName, 'Reconcile the objects of all namespaces, not only of the controllers'' own')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;logs' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Show lines about the objects of all namespaces')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Show lines about the objects of all namespaces')
            [CompletionResult]::new('--flux-namespace', '--flux-namespace', [CompletionResultType]::ParameterName, 'Namespace that the controllers run in')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Go on showing lines as they are written')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Go on showing lines as they are written')
            [CompletionResult]::new('--kind', '--kind', [CompletionResultType]::ParameterName, 'Show only lines about this kind')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'Show only lines of this level')
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'Show only lines about the object of this name')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Show only lines younger than this')
            [CompletionResult]::new('--since-time', '--since-time', [CompletionResultType]::ParameterName, 'Show only lines written after this time, as RFC 3339')
            [CompletionResult]::new('--tail', '--tail', [CompletionResultType]::ParameterName, 'How many of the newest lines of each pod to show; all with -1')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;reconcile' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('helmrelease', 'helmrelease', [CompletionResultType]::ParameterValue, 'Reconcile a HelmRelease object')
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Reconcile a Kustomization object')
            [CompletionResult]::new('receiver', 'receiver', [CompletionResultType]::ParameterValue, 'Reconcile a Receiver object')
            [CompletionResult]::new('image', 'image', [CompletionResultType]::ParameterValue, 'Image automation objects')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Sources of desired state')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;reconcile;helmrelease' {
            [CompletionResult]::new('--with-source', '--with-source', [CompletionResultType]::ParameterName, 'Reconcile the object''s source first')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Install or upgrade once, whatever the state')
            [CompletionResult]::new('--reset', '--reset', [CompletionResultType]::ParameterName, 'Forget the failures counted so far')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;reconcile;kustomization' {
            [CompletionResult]::new('--with-source', '--with-source', [CompletionResultType]::ParameterName, 'Reconcile the object''s source first')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;reconcile;receiver' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;reconcile;image' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Reconcile a ImageRepository object')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Reconcile a ImagePolicy object')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Reconcile a ImageUpdateAutomation object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;reconcile;image;repository' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;reconcile;image;policy' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;reconcile;image;update' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;reconcile;image;help' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Reconcile a ImageRepository object')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Reconcile a ImagePolicy object')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Reconcile a ImageUpdateAutomation object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;reconcile;image;help;repository' {
            break
        }
        'flux;reconcile;image;help;policy' {
            break
        }
        'flux;reconcile;image;help;update' {
            break
        }
        'flux;reconcile;image;help;help' {
            break
        }
        'flux;reconcile;source' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Reconcile a OCIRepository object')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Reconcile a Bucket object')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Reconcile a GitRepository object')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Reconcile a HelmRepository object')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Reconcile a HelmChart object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;reconcile;source;oci' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;reconcile;source;bucket' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;reconcile;source;git' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;reconcile;source;helm' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;reconcile;source;chart' {
            [CompletionResult]::new('--with-source', '--with-source', [CompletionResultType]::ParameterName, 'Reconcile the object''s source first')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;reconcile;source;help' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Reconcile a OCIRepository object')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Reconcile a Bucket object')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Reconcile a GitRepository object')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Reconcile a HelmRepository object')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Reconcile a HelmChart object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;reconcile;source;help;oci' {
            break
        }
        'flux;reconcile;source;help;bucket' {
            break
        }
        'flux;reconcile;source;help;git' {
            break
        }
        'flux;reconcile;source;help;helm' {
            break
        }
        'flux;reconcile;source;help;chart' {
            break
        }
        'flux;reconcile;source;help;help' {
            break
        }
        'flux;reconcile;help' {
            [CompletionResult]::new('helmrelease', 'helmrelease', [CompletionResultType]::ParameterValue, 'Reconcile a HelmRelease object')
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Reconcile a Kustomization object')
            [CompletionResult]::new('receiver', 'receiver', [CompletionResultType]::ParameterValue, 'Reconcile a Receiver object')
            [CompletionResult]::new('image', 'image', [CompletionResultType]::ParameterValue, 'Image automation objects')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Sources of desired state')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;reconcile;help;helmrelease' {
            break
        }
        'flux;reconcile;help;kustomization' {
            break
        }
        'flux;reconcile;help;receiver' {
            break
        }
        'flux;reconcile;help;image' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Reconcile a ImageRepository object')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Reconcile a ImagePolicy object')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Reconcile a ImageUpdateAutomation object')
            break
        }
        'flux;reconcile;help;image;repository' {
            break
        }
        'flux;reconcile;help;image;policy' {
            break
        }
        'flux;reconcile;help;image;update' {
            break
        }
        'flux;reconcile;help;source' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Reconcile a OCIRepository object')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Reconcile a Bucket object')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Reconcile a GitRepository object')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Reconcile a HelmRepository object')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Reconcile a HelmChart object')
            break
        }
        'flux;reconcile;help;source;oci' {
            break
        }
        'flux;reconcile;help;source;bucket' {
            break
        }
        'flux;reconcile;help;source;git' {
            break
        }
        'flux;reconcile;help;source;helm' {
            break
        }
        'flux;reconcile;help;source;chart' {
            break
        }
        'flux;reconcile;help;help' {
            break
        }
        'flux;resume' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('helmrelease', 'helmrelease', [CompletionResultType]::ParameterValue, 'Resume reconciliation of HelmRelease objects')
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Resume reconciliation of Kustomization objects')
            [CompletionResult]::new('receiver', 'receiver', [CompletionResultType]::ParameterValue, 'Resume reconciliation of Receiver objects')
            [CompletionResult]::new('alert-provider', 'alert-provider', [CompletionResultType]::ParameterValue, 'Resume reconciliation of Provider objects')
            [CompletionResult]::new('alert', 'alert', [CompletionResultType]::ParameterValue, 'Resume reconciliation of Alert objects')
            [CompletionResult]::new('image', 'image', [CompletionResultType]::ParameterValue, 'Image automation objects')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Sources of desired state')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;resume;helmrelease' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;resume;kustomization' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;resume;receiver' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;resume;alert-provider' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;resume;alert' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;resume;image' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImageUpdateAutomation objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;resume;image;repository' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;resume;image;policy' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;resume;image;update' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;resume;image;help' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImageUpdateAutomation objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;resume;image;help;repository' {
            break
        }
        'flux;resume;image;help;policy' {
            break
        }
        'flux;resume;image;help;update' {
            break
        }
        'flux;resume;image;help;help' {
            break
        }
        'flux;resume;source' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Resume reconciliation of OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Resume reconciliation of Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Resume reconciliation of GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Resume reconciliation of HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Resume reconciliation of HelmChart objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;resume;source;oci' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;resume;source;bucket' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;resume;source;git' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;resume;source;helm' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;resume;source;chart' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Resume every object of the namespace')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait for every resumed object to be reconciled')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;resume;source;help' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Resume reconciliation of OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Resume reconciliation of Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Resume reconciliation of GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Resume reconciliation of HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Resume reconciliation of HelmChart objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;resume;source;help;oci' {
            break
        }
        'flux;resume;source;help;bucket' {
            break
        }
        'flux;resume;source;help;git' {
            break
        }
        'flux;resume;source;help;helm' {
            break
        }
        'flux;resume;source;help;chart' {
            break
        }
        'flux;resume;source;help;help' {
            break
        }
        'flux;resume;help' {
            [CompletionResult]::new('helmrelease', 'helmrelease', [CompletionResultType]::ParameterValue, 'Resume reconciliation of HelmRelease objects')
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Resume reconciliation of Kustomization objects')
            [CompletionResult]::new('receiver', 'receiver', [CompletionResultType]::ParameterValue, 'Resume reconciliation of Receiver objects')
            [CompletionResult]::new('alert-provider', 'alert-provider', [CompletionResultType]::ParameterValue, 'Resume reconciliation of Provider objects')
            [CompletionResult]::new('alert', 'alert', [CompletionResultType]::ParameterValue, 'Resume reconciliation of Alert objects')
            [CompletionResult]::new('image', 'image', [CompletionResultType]::ParameterValue, 'Image automation objects')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Sources of desired state')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;resume;help;helmrelease' {
            break
        }
        'flux;resume;help;kustomization' {
            break
        }
        'flux;resume;help;receiver' {
            break
        }
        'flux;resume;help;alert-provider' {
            break
        }
        'flux;resume;help;alert' {
            break
        }
        'flux;resume;help;image' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImageUpdateAutomation objects')
            break
        }
        'flux;resume;help;image;repository' {
            break
        }
        'flux;resume;help;image;policy' {
            break
        }
        'flux;resume;help;image;update' {
            break
        }
        'flux;resume;help;source' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Resume reconciliation of OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Resume reconciliation of Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Resume reconciliation of GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Resume reconciliation of HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Resume reconciliation of HelmChart objects')
            break
        }
        'flux;resume;help;source;oci' {
            break
        }
        'flux;resume;help;source;bucket' {
            break
        }
        'flux;resume;help;source;git' {
            break
        }
        'flux;resume;help;source;helm' {
            break
        }
        'flux;resume;help;source;chart' {
            break
        }
        'flux;resume;help;help' {
            break
        }
        'flux;suspend' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('helmrelease', 'helmrelease', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of HelmRelease objects')
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of Kustomization objects')
            [CompletionResult]::new('receiver', 'receiver', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of Receiver objects')
            [CompletionResult]::new('alert-provider', 'alert-provider', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of Provider objects')
            [CompletionResult]::new('alert', 'alert', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of Alert objects')
            [CompletionResult]::new('image', 'image', [CompletionResultType]::ParameterValue, 'Image automation objects')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Sources of desired state')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;suspend;helmrelease' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;suspend;kustomization' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;suspend;receiver' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;suspend;alert-provider' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;suspend;alert' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;suspend;image' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImageUpdateAutomation objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;suspend;image;repository' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;suspend;image;policy' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;suspend;image;update' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;suspend;image;help' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImageUpdateAutomation objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;suspend;image;help;repository' {
            break
        }
        'flux;suspend;image;help;policy' {
            break
        }
        'flux;suspend;image;help;update' {
            break
        }
        'flux;suspend;image;help;help' {
            break
        }
        'flux;suspend;source' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of HelmChart objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;suspend;source;oci' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;suspend;source;bucket' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;suspend;source;git' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;suspend;source;helm' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;suspend;source;chart' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Suspend every object of the namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;suspend;source;help' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of HelmChart objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;suspend;source;help;oci' {
            break
        }
        'flux;suspend;source;help;bucket' {
            break
        }
        'flux;suspend;source;help;git' {
            break
        }
        'flux;suspend;source;help;helm' {
            break
        }
        'flux;suspend;source;help;chart' {
            break
        }
        'flux;suspend;source;help;help' {
            break
        }
        'flux;suspend;help' {
            [CompletionResult]::new('helmrelease', 'helmrelease', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of HelmRelease objects')
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of Kustomization objects')
            [CompletionResult]::new('receiver', 'receiver', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of Receiver objects')
            [CompletionResult]::new('alert-provider', 'alert-provider', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of Provider objects')
            [CompletionResult]::new('alert', 'alert', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of Alert objects')
            [CompletionResult]::new('image', 'image', [CompletionResultType]::ParameterValue, 'Image automation objects')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Sources of desired state')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;suspend;help;helmrelease' {
            break
        }
        'flux;suspend;help;kustomization' {
            break
        }
        'flux;suspend;help;receiver' {
            break
        }
        'flux;suspend;help;alert-provider' {
            break
        }
        'flux;suspend;help;alert' {
            break
        }
        'flux;suspend;help;image' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImageUpdateAutomation objects')
            break
        }
        'flux;suspend;help;image;repository' {
            break
        }
        'flux;suspend;help;image;policy' {
            break
        }
        'flux;suspend;help;image;update' {
            break
        }
        'flux;suspend;help;source' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of HelmChart objects')
            break
        }
        'flux;suspend;help;source;oci' {
            break
        }
        'flux;suspend;help;source;bucket' {
            break
        }
        'flux;suspend;help;source;git' {
            break
        }
        'flux;suspend;help;source;helm' {
            break
        }
        'flux;suspend;help;source;chart' {
            break
        }
        'flux;suspend;help;help' {
            break
        }
        'flux;tree' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Print the objects that a Kustomization applied')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;tree;kustomization' {
            [CompletionResult]::new('--compact', '--compact', [CompletionResultType]::ParameterName, 'Show Flux''s own objects only')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format of the output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format of the output')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;tree;help' {
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Print the objects that a Kustomization applied')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;tree;help;kustomization' {
            break
        }
        'flux;tree;help;help' {
            break
        }
        'flux;uninstall' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be deleted, and delete nothing')
            [CompletionResult]::new('--keep-namespace', '--keep-namespace', [CompletionResultType]::ParameterName, 'Leave the namespace')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;version' {
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to impersonate for the operation')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra field KEY=VALUE to impersonate for the operation, may be given several times')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Directory for caches')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the authority that signed the API server''s certificate')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with a client certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the key of the client certificate')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server not to compress its answers')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the API server''s certificate: the connection can be read and changed by others')
            [CompletionResult]::new('--kube-api-burst', '--kube-api-burst', [CompletionResultType]::ParameterName, 'Most requests to the API server at once')
            [CompletionResult]::new('--kube-api-qps', '--kube-api-qps', [CompletionResultType]::ParameterName, 'Most requests to the API server per second, over time')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'File with the cluster''s address and credentials')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace of the objects')
            [CompletionResult]::new('--ns-follows-kube-context', '--ns-follows-kube-context', [CompletionResultType]::ParameterName, 'Take the namespace from the kubeconfig''s context')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long the whole operation may take')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the API server''s certificate')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token for the API server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the generated objects while working')
            [CompletionResult]::new('--client', '--client', [CompletionResultType]::ParameterName, 'Print the client''s version only, without asking a cluster')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format of the output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format of the output')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'flux;help' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Check the cluster and what is installed in it')
            [CompletionResult]::new('completion', 'completion', [CompletionResultType]::ParameterValue, 'Generate a completion script for a shell')
            [CompletionResult]::new('controller', 'controller', [CompletionResultType]::ParameterValue, 'Run one controller, or several in one process')
            [CompletionResult]::new('create', 'create', [CompletionResultType]::ParameterValue, 'Create or update objects')
            [CompletionResult]::new('delete', 'delete', [CompletionResultType]::ParameterValue, 'Delete objects')
            [CompletionResult]::new('dev', 'dev', [CompletionResultType]::ParameterValue, 'Run the whole loop on this machine, without a cluster')
            [CompletionResult]::new('events', 'events', [CompletionResultType]::ParameterValue, 'Show what the controllers said about objects')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Export objects as YAML')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'List objects and their status')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Install the controllers, or upgrade them')
            [CompletionResult]::new('logs', 'logs', [CompletionResultType]::ParameterValue, 'Show the controllers'' logs')
            [CompletionResult]::new('reconcile', 'reconcile', [CompletionResultType]::ParameterValue, 'Reconcile an object now')
            [CompletionResult]::new('resume', 'resume', [CompletionResultType]::ParameterValue, 'Resume reconciliation')
            [CompletionResult]::new('suspend', 'suspend', [CompletionResultType]::ParameterValue, 'Suspend reconciliation')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'Show what an object owns, as a tree')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Remove the controllers and their definitions')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Print the client''s and the cluster''s versions')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'flux;help;check' {
            break
        }
        'flux;help;completion' {
            break
        }
        'flux;help;controller' {
            break
        }
        'flux;help;create' {
            break
        }
        'flux;help;delete' {
            break
        }
        'flux;help;dev' {
            break
        }
        'flux;help;events' {
            break
        }
        'flux;help;export' {
            break
        }
        'flux;help;get' {
            break
        }
        'flux;help;install' {
            break
        }
        'flux;help;logs' {
            break
        }
        'flux;help;reconcile' {
            break
        }
        'flux;help;resume' {
            break
        }
        'flux;help;suspend' {
            break
        }
        'flux;help;tree' {
            break
        }
        'flux;help;uninstall' {
            break
        }
        'flux;help;version' {
            break
        }
        'flux;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
