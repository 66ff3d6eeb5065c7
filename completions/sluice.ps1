
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'sluice' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'sluice'
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
        'sluice' {
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
        'sluice;check' {
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
        'sluice;completion' {
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
        'sluice;completion;bash' {
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
        'sluice;completion;fish' {
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
        'sluice;completion;powershell' {
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
        'sluice;completion;zsh' {
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
        'sluice;completion;help' {
            [CompletionResult]::new('bash', 'bash', [CompletionResultType]::ParameterValue, 'Generate the completion script for bash')
            [CompletionResult]::new('fish', 'fish', [CompletionResultType]::ParameterValue, 'Generate the completion script for fish')
            [CompletionResult]::new('powershell', 'powershell', [CompletionResultType]::ParameterValue, 'Generate the completion script for PowerShell')
            [CompletionResult]::new('zsh', 'zsh', [CompletionResultType]::ParameterValue, 'Generate the completion script for zsh')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;completion;help;bash' {
            break
        }
        'sluice;completion;help;fish' {
            break
        }
        'sluice;completion;help;powershell' {
            break
        }
        'sluice;completion;help;zsh' {
            break
        }
        'sluice;completion;help;help' {
            break
        }
        'sluice;controller' {
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
        'sluice;create' {
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
        'sluice;create;kustomization' {
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
        'sluice;create;source' {
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
        'sluice;create;source;git' {
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
        'sluice;create;source;help' {
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Create or update a GitRepository')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;create;source;help;git' {
            break
        }
        'sluice;create;source;help;help' {
            break
        }
        'sluice;create;help' {
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Create or update a Kustomization')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Create or update sources')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;create;help;kustomization' {
            break
        }
        'sluice;create;help;source' {
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Create or update a GitRepository')
            break
        }
        'sluice;create;help;source;git' {
            break
        }
        'sluice;create;help;help' {
            break
        }
        'sluice;delete' {
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
        'sluice;delete;helmrelease' {
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
        'sluice;delete;kustomization' {
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
        'sluice;delete;receiver' {
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
        'sluice;delete;alert-provider' {
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
        'sluice;delete;alert' {
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
        'sluice;delete;image' {
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
        'sluice;delete;image;repository' {
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
        'sluice;delete;image;policy' {
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
        'sluice;delete;image;update' {
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
        'sluice;delete;image;help' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Delete a ImageRepository object')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Delete a ImagePolicy object')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Delete a ImageUpdateAutomation object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;delete;image;help;repository' {
            break
        }
        'sluice;delete;image;help;policy' {
            break
        }
        'sluice;delete;image;help;update' {
            break
        }
        'sluice;delete;image;help;help' {
            break
        }
        'sluice;delete;source' {
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
        'sluice;delete;source;oci' {
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
        'sluice;delete;source;bucket' {
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
        'sluice;delete;source;git' {
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
        'sluice;delete;source;helm' {
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
        'sluice;delete;source;chart' {
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
        'sluice;delete;source;help' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Delete a OCIRepository object')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Delete a Bucket object')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Delete a GitRepository object')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Delete a HelmRepository object')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Delete a HelmChart object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;delete;source;help;oci' {
            break
        }
        'sluice;delete;source;help;bucket' {
            break
        }
        'sluice;delete;source;help;git' {
            break
        }
        'sluice;delete;source;help;helm' {
            break
        }
        'sluice;delete;source;help;chart' {
            break
        }
        'sluice;delete;source;help;help' {
            break
        }
        'sluice;delete;help' {
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
        'sluice;delete;help;helmrelease' {
            break
        }
        'sluice;delete;help;kustomization' {
            break
        }
        'sluice;delete;help;receiver' {
            break
        }
        'sluice;delete;help;alert-provider' {
            break
        }
        'sluice;delete;help;alert' {
            break
        }
        'sluice;delete;help;image' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Delete a ImageRepository object')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Delete a ImagePolicy object')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Delete a ImageUpdateAutomation object')
            break
        }
        'sluice;delete;help;image;repository' {
            break
        }
        'sluice;delete;help;image;policy' {
            break
        }
        'sluice;delete;help;image;update' {
            break
        }
        'sluice;delete;help;source' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Delete a OCIRepository object')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Delete a Bucket object')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Delete a GitRepository object')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Delete a HelmRepository object')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Delete a HelmChart object')
            break
        }
        'sluice;delete;help;source;oci' {
            break
        }
        'sluice;delete;help;source;bucket' {
            break
        }
        'sluice;delete;help;source;git' {
            break
        }
        'sluice;delete;help;source;helm' {
            break
        }
        'sluice;delete;help;source;chart' {
            break
        }
        'sluice;delete;help;help' {
            break
        }
        'sluice;dev' {
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
        'sluice;events' {
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
        'sluice;export' {
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
        'sluice;export;helmrelease' {
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
        'sluice;export;kustomization' {
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
        'sluice;export;receiver' {
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
        'sluice;export;alert-provider' {
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
        'sluice;export;alert' {
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
        'sluice;export;artifact' {
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
        'sluice;export;artifact;generator' {
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
        'sluice;export;artifact;help' {
            [CompletionResult]::new('generator', 'generator', [CompletionResultType]::ParameterValue, 'Export ArtifactGenerator objects as YAML')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;export;artifact;help;generator' {
            break
        }
        'sluice;export;artifact;help;help' {
            break
        }
        'sluice;export;image' {
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
        'sluice;export;image;repository' {
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
        'sluice;export;image;policy' {
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
        'sluice;export;image;update' {
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
        'sluice;export;image;help' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Export ImageRepository objects as YAML')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Export ImagePolicy objects as YAML')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Export ImageUpdateAutomation objects as YAML')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;export;image;help;repository' {
            break
        }
        'sluice;export;image;help;policy' {
            break
        }
        'sluice;export;image;help;update' {
            break
        }
        'sluice;export;image;help;help' {
            break
        }
        'sluice;export;source' {
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
        'sluice;export;source;oci' {
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
        'sluice;export;source;bucket' {
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
        'sluice;export;source;git' {
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
        'sluice;export;source;helm' {
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
        'sluice;export;source;chart' {
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
        'sluice;export;source;external' {
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
        'sluice;export;source;help' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Export OCIRepository objects as YAML')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Export Bucket objects as YAML')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Export GitRepository objects as YAML')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Export HelmRepository objects as YAML')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Export HelmChart objects as YAML')
            [CompletionResult]::new('external', 'external', [CompletionResultType]::ParameterValue, 'Export ExternalArtifact objects as YAML')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;export;source;help;oci' {
            break
        }
        'sluice;export;source;help;bucket' {
            break
        }
        'sluice;export;source;help;git' {
            break
        }
        'sluice;export;source;help;helm' {
            break
        }
        'sluice;export;source;help;chart' {
            break
        }
        'sluice;export;source;help;external' {
            break
        }
        'sluice;export;source;help;help' {
            break
        }
        'sluice;export;help' {
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
        'sluice;export;help;helmrelease' {
            break
        }
        'sluice;export;help;kustomization' {
            break
        }
        'sluice;export;help;receiver' {
            break
        }
        'sluice;export;help;alert-provider' {
            break
        }
        'sluice;export;help;alert' {
            break
        }
        'sluice;export;help;artifact' {
            [CompletionResult]::new('generator', 'generator', [CompletionResultType]::ParameterValue, 'Export ArtifactGenerator objects as YAML')
            break
        }
        'sluice;export;help;artifact;generator' {
            break
        }
        'sluice;export;help;image' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Export ImageRepository objects as YAML')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Export ImagePolicy objects as YAML')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Export ImageUpdateAutomation objects as YAML')
            break
        }
        'sluice;export;help;image;repository' {
            break
        }
        'sluice;export;help;image;policy' {
            break
        }
        'sluice;export;help;image;update' {
            break
        }
        'sluice;export;help;source' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Export OCIRepository objects as YAML')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Export Bucket objects as YAML')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Export GitRepository objects as YAML')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Export HelmRepository objects as YAML')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Export HelmChart objects as YAML')
            [CompletionResult]::new('external', 'external', [CompletionResultType]::ParameterValue, 'Export ExternalArtifact objects as YAML')
            break
        }
        'sluice;export;help;source;oci' {
            break
        }
        'sluice;export;help;source;bucket' {
            break
        }
        'sluice;export;help;source;git' {
            break
        }
        'sluice;export;help;source;helm' {
            break
        }
        'sluice;export;help;source;chart' {
            break
        }
        'sluice;export;help;source;external' {
            break
        }
        'sluice;export;help;help' {
            break
        }
        'sluice;get' {
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
        'sluice;get;helmreleases' {
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
        'sluice;get;kustomizations' {
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
        'sluice;get;receivers' {
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
        'sluice;get;alert-providers' {
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
        'sluice;get;alerts' {
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
        'sluice;get;artifacts' {
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
        'sluice;get;artifacts;generators' {
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
        'sluice;get;artifacts;help' {
            [CompletionResult]::new('generators', 'generators', [CompletionResultType]::ParameterValue, 'List ArtifactGenerator objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;get;artifacts;help;generators' {
            break
        }
        'sluice;get;artifacts;help;help' {
            break
        }
        'sluice;get;all' {
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
        'sluice;get;sources' {
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
        'sluice;get;sources;oci' {
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
        'sluice;get;sources;bucket' {
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
        'sluice;get;sources;git' {
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
        'sluice;get;sources;helm' {
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
        'sluice;get;sources;chart' {
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
        'sluice;get;sources;external' {
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
        'sluice;get;sources;all' {
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
        'sluice;get;sources;help' {
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
        'sluice;get;sources;help;oci' {
            break
        }
        'sluice;get;sources;help;bucket' {
            break
        }
        'sluice;get;sources;help;git' {
            break
        }
        'sluice;get;sources;help;helm' {
            break
        }
        'sluice;get;sources;help;chart' {
            break
        }
        'sluice;get;sources;help;external' {
            break
        }
        'sluice;get;sources;help;all' {
            break
        }
        'sluice;get;sources;help;help' {
            break
        }
        'sluice;get;images' {
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
        'sluice;get;images;repository' {
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
        'sluice;get;images;policy' {
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
        'sluice;get;images;update' {
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
        'sluice;get;images;all' {
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
        'sluice;get;images;help' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'List ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'List ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'List ImageUpdateAutomation objects')
            [CompletionResult]::new('all', 'all', [CompletionResultType]::ParameterValue, 'List every image automation object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;get;images;help;repository' {
            break
        }
        'sluice;get;images;help;policy' {
            break
        }
        'sluice;get;images;help;update' {
            break
        }
        'sluice;get;images;help;all' {
            break
        }
        'sluice;get;images;help;help' {
            break
        }
        'sluice;get;help' {
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
        'sluice;get;help;helmreleases' {
            break
        }
        'sluice;get;help;kustomizations' {
            break
        }
        'sluice;get;help;receivers' {
            break
        }
        'sluice;get;help;alert-providers' {
            break
        }
        'sluice;get;help;alerts' {
            break
        }
        'sluice;get;help;artifacts' {
            [CompletionResult]::new('generators', 'generators', [CompletionResultType]::ParameterValue, 'List ArtifactGenerator objects')
            break
        }
        'sluice;get;help;artifacts;generators' {
            break
        }
        'sluice;get;help;all' {
            break
        }
        'sluice;get;help;sources' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'List OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'List Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'List GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'List HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'List HelmChart objects')
            [CompletionResult]::new('external', 'external', [CompletionResultType]::ParameterValue, 'List ExternalArtifact objects')
            [CompletionResult]::new('all', 'all', [CompletionResultType]::ParameterValue, 'List every source')
            break
        }
        'sluice;get;help;sources;oci' {
            break
        }
        'sluice;get;help;sources;bucket' {
            break
        }
        'sluice;get;help;sources;git' {
            break
        }
        'sluice;get;help;sources;helm' {
            break
        }
        'sluice;get;help;sources;chart' {
            break
        }
        'sluice;get;help;sources;external' {
            break
        }
        'sluice;get;help;sources;all' {
            break
        }
        'sluice;get;help;images' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'List ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'List ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'List ImageUpdateAutomation objects')
            [CompletionResult]::new('all', 'all', [CompletionResultType]::ParameterValue, 'List every image automation object')
            break
        }
        'sluice;get;help;images;repository' {
            break
        }
        'sluice;get;help;images;policy' {
            break
        }
        'sluice;get;help;images;update' {
            break
        }
        'sluice;get;help;images;all' {
            break
        }
        'sluice;get;help;help' {
            break
        }
        'sluice;install' {
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
        'sluice;logs' {
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
        'sluice;reconcile' {
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
        'sluice;reconcile;helmrelease' {
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
        'sluice;reconcile;kustomization' {
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
        'sluice;reconcile;receiver' {
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
        'sluice;reconcile;image' {
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
        'sluice;reconcile;image;repository' {
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
        'sluice;reconcile;image;policy' {
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
        'sluice;reconcile;image;update' {
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
        'sluice;reconcile;image;help' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Reconcile a ImageRepository object')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Reconcile a ImagePolicy object')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Reconcile a ImageUpdateAutomation object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;reconcile;image;help;repository' {
            break
        }
        'sluice;reconcile;image;help;policy' {
            break
        }
        'sluice;reconcile;image;help;update' {
            break
        }
        'sluice;reconcile;image;help;help' {
            break
        }
        'sluice;reconcile;source' {
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
        'sluice;reconcile;source;oci' {
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
        'sluice;reconcile;source;bucket' {
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
        'sluice;reconcile;source;git' {
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
        'sluice;reconcile;source;helm' {
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
        'sluice;reconcile;source;chart' {
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
        'sluice;reconcile;source;help' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Reconcile a OCIRepository object')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Reconcile a Bucket object')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Reconcile a GitRepository object')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Reconcile a HelmRepository object')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Reconcile a HelmChart object')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;reconcile;source;help;oci' {
            break
        }
        'sluice;reconcile;source;help;bucket' {
            break
        }
        'sluice;reconcile;source;help;git' {
            break
        }
        'sluice;reconcile;source;help;helm' {
            break
        }
        'sluice;reconcile;source;help;chart' {
            break
        }
        'sluice;reconcile;source;help;help' {
            break
        }
        'sluice;reconcile;help' {
            [CompletionResult]::new('helmrelease', 'helmrelease', [CompletionResultType]::ParameterValue, 'Reconcile a HelmRelease object')
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Reconcile a Kustomization object')
            [CompletionResult]::new('receiver', 'receiver', [CompletionResultType]::ParameterValue, 'Reconcile a Receiver object')
            [CompletionResult]::new('image', 'image', [CompletionResultType]::ParameterValue, 'Image automation objects')
            [CompletionResult]::new('source', 'source', [CompletionResultType]::ParameterValue, 'Sources of desired state')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;reconcile;help;helmrelease' {
            break
        }
        'sluice;reconcile;help;kustomization' {
            break
        }
        'sluice;reconcile;help;receiver' {
            break
        }
        'sluice;reconcile;help;image' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Reconcile a ImageRepository object')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Reconcile a ImagePolicy object')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Reconcile a ImageUpdateAutomation object')
            break
        }
        'sluice;reconcile;help;image;repository' {
            break
        }
        'sluice;reconcile;help;image;policy' {
            break
        }
        'sluice;reconcile;help;image;update' {
            break
        }
        'sluice;reconcile;help;source' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Reconcile a OCIRepository object')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Reconcile a Bucket object')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Reconcile a GitRepository object')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Reconcile a HelmRepository object')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Reconcile a HelmChart object')
            break
        }
        'sluice;reconcile;help;source;oci' {
            break
        }
        'sluice;reconcile;help;source;bucket' {
            break
        }
        'sluice;reconcile;help;source;git' {
            break
        }
        'sluice;reconcile;help;source;helm' {
            break
        }
        'sluice;reconcile;help;source;chart' {
            break
        }
        'sluice;reconcile;help;help' {
            break
        }
        'sluice;resume' {
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
        'sluice;resume;helmrelease' {
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
        'sluice;resume;kustomization' {
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
        'sluice;resume;receiver' {
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
        'sluice;resume;alert-provider' {
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
        'sluice;resume;alert' {
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
        'sluice;resume;image' {
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
        'sluice;resume;image;repository' {
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
        'sluice;resume;image;policy' {
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
        'sluice;resume;image;update' {
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
        'sluice;resume;image;help' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImageUpdateAutomation objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;resume;image;help;repository' {
            break
        }
        'sluice;resume;image;help;policy' {
            break
        }
        'sluice;resume;image;help;update' {
            break
        }
        'sluice;resume;image;help;help' {
            break
        }
        'sluice;resume;source' {
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
        'sluice;resume;source;oci' {
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
        'sluice;resume;source;bucket' {
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
        'sluice;resume;source;git' {
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
        'sluice;resume;source;helm' {
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
        'sluice;resume;source;chart' {
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
        'sluice;resume;source;help' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Resume reconciliation of OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Resume reconciliation of Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Resume reconciliation of GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Resume reconciliation of HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Resume reconciliation of HelmChart objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;resume;source;help;oci' {
            break
        }
        'sluice;resume;source;help;bucket' {
            break
        }
        'sluice;resume;source;help;git' {
            break
        }
        'sluice;resume;source;help;helm' {
            break
        }
        'sluice;resume;source;help;chart' {
            break
        }
        'sluice;resume;source;help;help' {
            break
        }
        'sluice;resume;help' {
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
        'sluice;resume;help;helmrelease' {
            break
        }
        'sluice;resume;help;kustomization' {
            break
        }
        'sluice;resume;help;receiver' {
            break
        }
        'sluice;resume;help;alert-provider' {
            break
        }
        'sluice;resume;help;alert' {
            break
        }
        'sluice;resume;help;image' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Resume reconciliation of ImageUpdateAutomation objects')
            break
        }
        'sluice;resume;help;image;repository' {
            break
        }
        'sluice;resume;help;image;policy' {
            break
        }
        'sluice;resume;help;image;update' {
            break
        }
        'sluice;resume;help;source' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Resume reconciliation of OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Resume reconciliation of Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Resume reconciliation of GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Resume reconciliation of HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Resume reconciliation of HelmChart objects')
            break
        }
        'sluice;resume;help;source;oci' {
            break
        }
        'sluice;resume;help;source;bucket' {
            break
        }
        'sluice;resume;help;source;git' {
            break
        }
        'sluice;resume;help;source;helm' {
            break
        }
        'sluice;resume;help;source;chart' {
            break
        }
        'sluice;resume;help;help' {
            break
        }
        'sluice;suspend' {
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
        'sluice;suspend;helmrelease' {
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
        'sluice;suspend;kustomization' {
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
        'sluice;suspend;receiver' {
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
        'sluice;suspend;alert-provider' {
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
        'sluice;suspend;alert' {
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
        'sluice;suspend;image' {
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
        'sluice;suspend;image;repository' {
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
        'sluice;suspend;image;policy' {
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
        'sluice;suspend;image;update' {
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
        'sluice;suspend;image;help' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImageUpdateAutomation objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;suspend;image;help;repository' {
            break
        }
        'sluice;suspend;image;help;policy' {
            break
        }
        'sluice;suspend;image;help;update' {
            break
        }
        'sluice;suspend;image;help;help' {
            break
        }
        'sluice;suspend;source' {
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
        'sluice;suspend;source;oci' {
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
        'sluice;suspend;source;bucket' {
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
        'sluice;suspend;source;git' {
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
        'sluice;suspend;source;helm' {
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
        'sluice;suspend;source;chart' {
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
        'sluice;suspend;source;help' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of HelmChart objects')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;suspend;source;help;oci' {
            break
        }
        'sluice;suspend;source;help;bucket' {
            break
        }
        'sluice;suspend;source;help;git' {
            break
        }
        'sluice;suspend;source;help;helm' {
            break
        }
        'sluice;suspend;source;help;chart' {
            break
        }
        'sluice;suspend;source;help;help' {
            break
        }
        'sluice;suspend;help' {
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
        'sluice;suspend;help;helmrelease' {
            break
        }
        'sluice;suspend;help;kustomization' {
            break
        }
        'sluice;suspend;help;receiver' {
            break
        }
        'sluice;suspend;help;alert-provider' {
            break
        }
        'sluice;suspend;help;alert' {
            break
        }
        'sluice;suspend;help;image' {
            [CompletionResult]::new('repository', 'repository', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImageRepository objects')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImagePolicy objects')
            [CompletionResult]::new('update', 'update', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of ImageUpdateAutomation objects')
            break
        }
        'sluice;suspend;help;image;repository' {
            break
        }
        'sluice;suspend;help;image;policy' {
            break
        }
        'sluice;suspend;help;image;update' {
            break
        }
        'sluice;suspend;help;source' {
            [CompletionResult]::new('oci', 'oci', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of OCIRepository objects')
            [CompletionResult]::new('bucket', 'bucket', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of Bucket objects')
            [CompletionResult]::new('git', 'git', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of GitRepository objects')
            [CompletionResult]::new('helm', 'helm', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of HelmRepository objects')
            [CompletionResult]::new('chart', 'chart', [CompletionResultType]::ParameterValue, 'Suspend reconciliation of HelmChart objects')
            break
        }
        'sluice;suspend;help;source;oci' {
            break
        }
        'sluice;suspend;help;source;bucket' {
            break
        }
        'sluice;suspend;help;source;git' {
            break
        }
        'sluice;suspend;help;source;helm' {
            break
        }
        'sluice;suspend;help;source;chart' {
            break
        }
        'sluice;suspend;help;help' {
            break
        }
        'sluice;tree' {
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
        'sluice;tree;kustomization' {
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
        'sluice;tree;help' {
            [CompletionResult]::new('kustomization', 'kustomization', [CompletionResultType]::ParameterValue, 'Print the objects that a Kustomization applied')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'sluice;tree;help;kustomization' {
            break
        }
        'sluice;tree;help;help' {
            break
        }
        'sluice;uninstall' {
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
        'sluice;version' {
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
        'sluice;help' {
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
        'sluice;help;check' {
            break
        }
        'sluice;help;completion' {
            break
        }
        'sluice;help;controller' {
            break
        }
        'sluice;help;create' {
            break
        }
        'sluice;help;delete' {
            break
        }
        'sluice;help;dev' {
            break
        }
        'sluice;help;events' {
            break
        }
        'sluice;help;export' {
            break
        }
        'sluice;help;get' {
            break
        }
        'sluice;help;install' {
            break
        }
        'sluice;help;logs' {
            break
        }
        'sluice;help;reconcile' {
            break
        }
        'sluice;help;resume' {
            break
        }
        'sluice;help;suspend' {
            break
        }
        'sluice;help;tree' {
            break
        }
        'sluice;help;uninstall' {
            break
        }
        'sluice;help;version' {
            break
        }
        'sluice;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
