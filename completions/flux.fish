# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_flux_global_optspecs
    string join \n v/version as= as-group= as-uid= as-user-extra= cache-dir= certificate-authority= client-certificate= client-key= cluster= context= disable-compression= insecure-skip-tls-verify= kube-api-burst= kube-api-qps= kubeconfig= n/namespace= ns-follows-kube-context= server= timeout= tls-server-name= token= user= verbose= h/help
end

function __fish_flux_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_flux_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_flux_using_subcommand
    set -l cmd (__fish_flux_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c flux -n "__fish_flux_needs_command" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_needs_command" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_needs_command" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_needs_command" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_needs_command" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_needs_command" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_needs_command" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_needs_command" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_needs_command" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_needs_command" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_needs_command" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_needs_command" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_needs_command" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_needs_command" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_needs_command" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_needs_command" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_needs_command" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_needs_command" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_needs_command" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_needs_command" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_needs_command" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_needs_command" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_needs_command" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_needs_command" -s v -l version -d 'Print the version'
complete -c flux -n "__fish_flux_needs_command" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_needs_command" -f -a "build" -d 'Print or pack manifests instead of applying them'
complete -c flux -n "__fish_flux_needs_command" -f -a "check" -d 'Check the cluster and what is installed in it'
complete -c flux -n "__fish_flux_needs_command" -f -a "completion" -d 'Generate a completion script for a shell'
complete -c flux -n "__fish_flux_needs_command" -f -a "controller" -d 'Run one controller, or several in one process'
complete -c flux -n "__fish_flux_needs_command" -f -a "create" -d 'Flags of every `create` command'
complete -c flux -n "__fish_flux_needs_command" -f -a "debug" -d 'Show what a controller has seen of an object'
complete -c flux -n "__fish_flux_needs_command" -f -a "delete" -d 'Delete objects'
complete -c flux -n "__fish_flux_needs_command" -f -a "dev" -d 'Run the whole loop on this machine, without a cluster'
complete -c flux -n "__fish_flux_needs_command" -f -a "diff" -d 'Show what differs between here and there'
complete -c flux -n "__fish_flux_needs_command" -f -a "envsubst" -d 'Replace variables in what is piped in by the environment\'s'
complete -c flux -n "__fish_flux_needs_command" -f -a "events" -d 'Show what the controllers said about objects'
complete -c flux -n "__fish_flux_needs_command" -f -a "export" -d 'Export objects as YAML'
complete -c flux -n "__fish_flux_needs_command" -f -a "get" -d 'List objects and their status'
complete -c flux -n "__fish_flux_needs_command" -f -a "install" -d 'Install the controllers, or upgrade them'
complete -c flux -n "__fish_flux_needs_command" -f -a "list" -d 'List artifacts in a container registry'
complete -c flux -n "__fish_flux_needs_command" -f -a "logs" -d 'Show the controllers\' logs'
complete -c flux -n "__fish_flux_needs_command" -f -a "pull" -d 'Pull artifacts from a container registry'
complete -c flux -n "__fish_flux_needs_command" -f -a "push" -d 'Push artifacts to a container registry'
complete -c flux -n "__fish_flux_needs_command" -f -a "reconcile" -d 'Reconcile an object now'
complete -c flux -n "__fish_flux_needs_command" -f -a "resume" -d 'Resume reconciliation'
complete -c flux -n "__fish_flux_needs_command" -f -a "stats" -d 'Count the objects of each kind, and what they store'
complete -c flux -n "__fish_flux_needs_command" -f -a "suspend" -d 'Suspend reconciliation'
complete -c flux -n "__fish_flux_needs_command" -f -a "tag" -d 'Tag artifacts in a container registry'
complete -c flux -n "__fish_flux_needs_command" -f -a "trace" -d 'Show what an object in the cluster comes from'
complete -c flux -n "__fish_flux_needs_command" -f -a "tree" -d 'Show what an object owns, as a tree'
complete -c flux -n "__fish_flux_needs_command" -f -a "uninstall" -d 'Remove the controllers and their definitions'
complete -c flux -n "__fish_flux_needs_command" -f -a "version" -d 'Print the client\'s and the cluster\'s versions'
complete -c flux -n "__fish_flux_needs_command" -f -a "why" -d 'Explain why an object is not what it should be, and what helps'
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -f -a "artifact" -d 'Pack manifests as an artifact'
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -f -a "kustomization" -d 'Print what a Kustomization applies, built from local manifests'
complete -c flux -n "__fish_flux_using_subcommand build; and not __fish_seen_subcommand_from artifact kustomization overlay" -f -a "overlay" -d 'Print what `kustomize build` prints for a folder'
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -s p -l path -d 'Directory, file, or - for standard input' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -s o -l output -d 'File to write' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l add-ignore-paths -d 'Paths to leave out in addition, in .gitignore\'s language' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l ignore-paths -d 'Paths to leave out, in .gitignore\'s language' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l resolve-symlinks -d 'Pack what symbolic links lead to in their place' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from artifact" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l ignore-paths -d 'Paths to leave out, in the format of .gitignore' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l in-memory-build -d 'Read nothing outside of the working directory' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l kustomization-file -d 'File with the Kustomization' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l local-sources -d 'Folders of sources, as KIND/NAMESPACE/NAME=PATH,…' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l path -d 'Folder of the manifests' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -s r -l recursive -d 'Go on with the Kustomizations among the objects' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l strict-substitute -d 'Fail on variables that have neither value nor default' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l dry-run -d 'Ask no cluster: the Kustomization is that of --kustomization-file, and variables come from its own list only' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from kustomization" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l reorder -d 'Order of the objects: that of their kinds, or none; a file\'s sortOptions win' -r -f -a "none\t''
legacy\t''"
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l load-restrictor -d 'Files that a kustomization may read: those in and below its own folder, or all' -r -f -a "root\t''
none\t''"
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -s o -l output -d 'File to write to, or folder for a file per object' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l enable-managedby-label -d 'Label every object as managed by kustomize' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l flux -d 'Build with the defaults of Flux: unordered, unrestricted' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand build; and __fish_seen_subcommand_from overlay" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand check" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand check" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand check" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand check" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand check" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand check" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l components -d 'Controllers that have to be there, if this is given' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l components-extra -d 'More controllers to check' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l poll-interval -d 'How often to look while waiting; health is watched, so this is accepted and not needed' -r
complete -c flux -n "__fish_flux_using_subcommand check" -l pre -d 'Check only what has to hold before an installation' -r
complete -c flux -n "__fish_flux_using_subcommand check" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -f -a "bash" -d 'Generate the completion script for bash'
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -f -a "fish" -d 'Generate the completion script for fish'
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -f -a "powershell" -d 'Generate the completion script for PowerShell'
complete -c flux -n "__fish_flux_using_subcommand completion; and not __fish_seen_subcommand_from bash fish powershell zsh" -f -a "zsh" -d 'Generate the completion script for zsh'
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from bash" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from fish" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from powershell" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand completion; and __fish_seen_subcommand_from zsh" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand controller" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand controller" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand controller" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand controller" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand controller" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand controller" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand controller" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l export -d 'Print the object as YAML and change nothing' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l interval -d 'How often to reconcile' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -l label -d 'Labels of the object, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -f -a "alert" -d 'Create or update an Alert'
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -f -a "alert-provider" -d 'Create or update a Provider'
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -f -a "helmrelease" -d 'Create or update a HelmRelease'
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -f -a "image" -d 'Create or update image automation objects'
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -f -a "kustomization" -d 'Create or update a Kustomization'
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -f -a "receiver" -d 'Create or update a Receiver'
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -f -a "secret" -d 'Create or update Secrets with credentials'
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -f -a "source" -d 'Flags of every `create source` command'
complete -c flux -n "__fish_flux_using_subcommand create; and not __fish_seen_subcommand_from alert alert-provider helmrelease image kustomization receiver secret source tenant" -f -a "tenant" -d 'Create or update the namespaces of a tenant and its rights in them'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l event-severity -d 'Least severity of the events: info or error' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l event-source -d 'Objects whose events are sent, as KIND/NAME[.NAMESPACE],…; a NAME of * means all' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l provider-ref -d 'Provider that the events go to' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l export -d 'Print the object as YAML and change nothing' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l interval -d 'How often to reconcile' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -l label -d 'Labels of the object, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l address -d 'Address of the repository, the chat or the webhook' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l channel -d 'Channel of a chat' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l secret-ref -d 'Secret with the token' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l type -d 'What it is: slack, github, generic, …' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l username -d 'Name under which messages are posted' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l export -d 'Print the object as YAML and change nothing' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l interval -d 'How often to reconcile' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -l label -d 'Labels of the object, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from alert-provider" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l chart -d 'Name of the chart, or its path in the source' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l chart-interval -d 'How often to look for new versions of the chart; without it, as often as to reconcile' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l chart-ref -d 'Object that is the chart, as OCIRepository/NAME[.NAMESPACE] or HelmChart/NAME[.NAMESPACE]' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l chart-version -d 'Version of the chart, or a range' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l crds -d 'What an upgrade does with the chart\'s definitions; an installation creates them' -r -f -a "Skip\t''
Create\t''
CreateReplace\t''"
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l create-target-namespace -d 'Create the target namespace where it is missing' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l depends-on -d 'Releases that must be ready before this one, as NAMESPACE/NAME@EXPRESSION,…; the name is enough' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l kubeconfig-secret-ref -d 'Secret with the kubeconfig of the cluster to install to' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l reconcile-strategy -d 'What makes a new artifact of the chart: a version, or any change of the source' -r -f -a "Revision\t''
ChartVersion\t''"
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l release-name -d 'Name of the Helm release; without it, [TARGET-NAMESPACE-]NAME' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l service-account -d 'Service account to impersonate' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l source -d 'Source of the chart, as KIND/NAME[.NAMESPACE]' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l storage-namespace -d 'Namespace that Helm keeps the release in; without it, the target namespace' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l target-namespace -d 'Namespace to install to' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l values -d 'Files with values; later ones win' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l values-from -d 'Objects with values under the key values.yaml, as Secret/NAME or ConfigMap/NAME,…' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l export -d 'Print the object as YAML and change nothing' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l interval -d 'How often to reconcile' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -l label -d 'Labels of the object, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from helmrelease" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l export -d 'Print the object as YAML and change nothing' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l interval -d 'How often to reconcile' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -l label -d 'Labels of the object, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -f -a "policy" -d 'Create or update an ImagePolicy'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -f -a "repository" -d 'Create or update an ImageRepository'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from image" -f -a "update" -d 'Create or update an ImageUpdateAutomation'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l decryption-provider -d 'What decrypts the manifests' -r -f -a "sops\t''"
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l decryption-secret -d 'Secret with the decryption keys' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l depends-on -d 'Kustomizations that must be ready before this one, as NAMESPACE/NAME@EXPRESSION,…; the name is enough' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l health-check -d 'Workloads to include in the health check, as KIND/NAME.NAMESPACE,…' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l health-check-timeout -d 'How long the health check may take' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l kubeconfig-secret-ref -d 'Secret with the kubeconfig of the cluster to apply to' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l path -d 'Directory of the source to apply' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l prune -d 'Delete what is no longer in the source' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l retry-interval -d 'How long to wait after a failure' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l service-account -d 'Service account to impersonate' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l source -d 'Source of the manifests, as [KIND/]NAME[.NAMESPACE]' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l target-namespace -d 'Namespace for everything that is applied' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l validation -d 'Deprecated and without effect' -r -f -a "client\t''
server\t''"
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l wait -d 'Wait for everything that is applied to be healthy' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l export -d 'Print the object as YAML and change nothing' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l interval -d 'How often to reconcile' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -l label -d 'Labels of the object, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from kustomization" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l event -d 'Events that count; without one, all' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l resource -d 'Objects to reconcile, as KIND/NAME,…' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l secret-ref -d 'Secret with the token' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l type -d 'What calls the webhook' -r -f -a "generic\t''
generic-hmac\t''
github\t''
gitlab\t''
bitbucket\t''
harbor\t''
dockerhub\t''
quay\t''
gcr\t''
nexus\t''
acr\t''
cdevents\t''"
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l export -d 'Print the object as YAML and change nothing' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l interval -d 'How often to reconcile' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -l label -d 'Labels of the object, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from receiver" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l export -d 'Print the object as YAML and change nothing' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l interval -d 'How often to reconcile' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -l label -d 'Labels of the object, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -f -a "git" -d 'What kind of key pair to make, and from what'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -f -a "githubapp" -d 'Create or update a Secret for a GitHub App'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -f -a "helm" -d 'Create or update a Secret for a repository of Helm charts'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -f -a "notation" -d 'Create or update a Secret that Notation\'s signatures are verified with'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -f -a "oci" -d 'Create or update a Secret for a container registry'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -f -a "proxy" -d 'Create or update a Secret for a proxy'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -f -a "receiver" -d 'Create or update a Secret for the webhook of a Receiver'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from secret" -f -a "tls" -d 'Create or update a Secret with certificates'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l fetch-timeout -d 'How long one fetch may take' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l export -d 'Print the object as YAML and change nothing' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l interval -d 'How often to reconcile' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -l label -d 'Labels of the object, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -f -a "bucket" -d 'Create or update a Bucket'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -f -a "chart" -d 'Flags of the sources whose signatures can be verified'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -f -a "git" -d 'What kind of key pair to make, and from what'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -f -a "helm" -d 'Create or update a HelmRepository'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from source" -f -a "oci" -d 'Flags of the sources whose signatures can be verified'
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l cluster-role -d 'Cluster role that the tenant has in its namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l skip-namespace -d 'Take the namespaces as they are' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l with-namespace -d 'Namespaces of the tenant' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l with-service-account -d 'Service account of the tenant, where it is not named like it' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l export -d 'Print the object as YAML and change nothing' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l interval -d 'How often to reconcile' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -l label -d 'Labels of the object, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand create; and __fish_seen_subcommand_from tenant" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand debug; and not __fish_seen_subcommand_from kustomization" -f -a "kustomization" -d 'Print the status, the variables or the history of a Kustomization'
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l show-history -d 'Print the history of its reconciliations' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l show-status -d 'Print its status' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l show-vars -d 'Print its variables as NAME=VALUE, those of Secrets too' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand debug; and __fish_seen_subcommand_from kustomization" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -s s -l silent -d 'Delete without asking' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "helmrelease" -d 'Delete a HelmRelease object'
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "kustomization" -d 'Delete a Kustomization object'
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "receiver" -d 'Delete a Receiver object'
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "alert-provider" -d 'Delete a Provider object'
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "alert" -d 'Delete a Alert object'
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "image" -d 'Image automation objects'
complete -c flux -n "__fish_flux_using_subcommand delete; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "source" -d 'Sources of desired state'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -s s -l silent -d 'Delete without asking' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from helmrelease" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -s s -l silent -d 'Delete without asking' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from kustomization" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -s s -l silent -d 'Delete without asking' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from receiver" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -s s -l silent -d 'Delete without asking' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert-provider" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -s s -l silent -d 'Delete without asking' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from alert" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -s s -l silent -d 'Delete without asking' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -f -a "repository" -d 'Delete a ImageRepository object'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -f -a "policy" -d 'Delete a ImagePolicy object'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from image" -f -a "update" -d 'Delete a ImageUpdateAutomation object'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -s s -l silent -d 'Delete without asking' -r
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -f -a "oci" -d 'Delete a OCIRepository object'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -f -a "bucket" -d 'Delete a Bucket object'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -f -a "git" -d 'Delete a GitRepository object'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -f -a "helm" -d 'Delete a HelmRepository object'
complete -c flux -n "__fish_flux_using_subcommand delete; and __fish_seen_subcommand_from source" -f -a "chart" -d 'Delete a HelmChart object'
complete -c flux -n "__fish_flux_using_subcommand dev" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand dev" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand dev" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand dev" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand dev" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand dev" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l once -d 'Run the demonstration, and leave with its exit code' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l path -d 'Repository to reconcile: a Git repository, bare or not, or a plain directory (default: a small one of our own)' -r -F
complete -c flux -n "__fish_flux_using_subcommand dev" -l branch -d 'Branch to follow' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -l directory -d 'Directory of the repository to apply, beginning with ./' -r
complete -c flux -n "__fish_flux_using_subcommand dev" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -f -a "artifact" -d 'Compare an artifact with a directory'
complete -c flux -n "__fish_flux_using_subcommand diff; and not __fish_seen_subcommand_from artifact kustomization" -f -a "kustomization" -d 'Show what applying local manifests would change in the cluster'
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l path -d 'Directory or file to compare with' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l creds -d 'Credentials as USER:PASSWORD, or a token' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l provider -d 'Cloud that gives the credentials' -r -f -a "generic\t''
aws\t''
azure\t''
gcp\t''"
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l add-ignore-paths -d 'Paths to leave out in addition, in .gitignore\'s language' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l ignore-paths -d 'Paths to leave out, in .gitignore\'s language' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l insecure-registry -d 'Take plain HTTP, and certificates unseen' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from artifact" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l ignore-paths -d 'Paths to leave out, in the format of .gitignore' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l in-memory-build -d 'Read nothing outside of the working directory' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l kustomization-file -d 'File with the Kustomization' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l local-sources -d 'Folders of sources, as KIND/NAMESPACE/NAME=PATH,…' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l path -d 'Folder of the manifests' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -s r -l recursive -d 'Go on with the Kustomizations among the objects' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l strict-substitute -d 'Fail on variables that have neither value nor default' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l ignore-not-found -d 'Go on if the cluster does not have the Kustomization of --kustomization-file' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l progress-bar -d 'Show on the terminal that work is under way' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand diff; and __fish_seen_subcommand_from kustomization" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand envsubst" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -l strict -d 'Fail on variables that have neither value nor default' -r
complete -c flux -n "__fish_flux_using_subcommand envsubst" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand events" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand events" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand events" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand events" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand events" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand events" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand events" -s A -l all-namespaces -d 'Show the events of all namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l for -d 'Show only events of this object and of what it refers to, as KIND/NAME, or of one kind' -r
complete -c flux -n "__fish_flux_using_subcommand events" -l types -d 'Show only events of these types' -r
complete -c flux -n "__fish_flux_using_subcommand events" -s w -l watch -d 'Go on showing what happens' -r
complete -c flux -n "__fish_flux_using_subcommand events" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -l all -d 'Export every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -f -a "helmrelease" -d 'Export HelmRelease objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -f -a "kustomization" -d 'Export Kustomization objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -f -a "receiver" -d 'Export Receiver objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -f -a "alert-provider" -d 'Export Provider objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -f -a "alert" -d 'Export Alert objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -f -a "artifact" -d 'Artifact generators'
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -f -a "image" -d 'Image automation objects'
complete -c flux -n "__fish_flux_using_subcommand export; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert artifact image source" -f -a "source" -d 'Sources of desired state'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -l all -d 'Export every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from helmrelease" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -l all -d 'Export every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from kustomization" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -l all -d 'Export every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from receiver" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -l all -d 'Export every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert-provider" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -l all -d 'Export every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from alert" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -l all -d 'Export every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from artifact" -f -a "generator" -d 'Export ArtifactGenerator objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -l all -d 'Export every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -f -a "repository" -d 'Export ImageRepository objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -f -a "policy" -d 'Export ImagePolicy objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from image" -f -a "update" -d 'Export ImageUpdateAutomation objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l with-credentials -d 'Export the Secret that the object refers to as well' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -l all -d 'Export every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -f -a "oci" -d 'Export OCIRepository objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -f -a "bucket" -d 'Export Bucket objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -f -a "git" -d 'Export GitRepository objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -f -a "helm" -d 'Export HelmRepository objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -f -a "chart" -d 'Export HelmChart objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand export; and __fish_seen_subcommand_from source" -f -a "external" -d 'Export ExternalArtifact objects as YAML'
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -s A -l all-namespaces -d 'List the objects of all namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -s l -l label-selector -d 'List only objects with these labels, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l no-header -d 'Leave the header out' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -l status-selector -d 'List only objects whose condition has, or with != has not, this status' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -s w -l watch -d 'Go on listing what changes' -r
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -f -a "helmreleases" -d 'List HelmRelease objects'
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -f -a "kustomizations" -d 'List Kustomization objects'
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -f -a "receivers" -d 'List Receiver objects'
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -f -a "alert-providers" -d 'List Provider objects'
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -f -a "alerts" -d 'List Alert objects'
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -f -a "artifacts" -d 'Artifact generators'
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -f -a "all" -d 'List the objects of every kind'
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -f -a "sources" -d 'Sources of desired state'
complete -c flux -n "__fish_flux_using_subcommand get; and not __fish_seen_subcommand_from helmreleases kustomizations receivers alert-providers alerts artifacts all sources images" -f -a "images" -d 'Image automation objects'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l show-source -d 'Show each object\'s source' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -s A -l all-namespaces -d 'List the objects of all namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -s l -l label-selector -d 'List only objects with these labels, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l no-header -d 'Leave the header out' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -l status-selector -d 'List only objects whose condition has, or with != has not, this status' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -s w -l watch -d 'Go on listing what changes' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from helmreleases" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l show-source -d 'Show each object\'s source' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -s A -l all-namespaces -d 'List the objects of all namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -s l -l label-selector -d 'List only objects with these labels, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l no-header -d 'Leave the header out' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -l status-selector -d 'List only objects whose condition has, or with != has not, this status' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -s w -l watch -d 'Go on listing what changes' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from kustomizations" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -s A -l all-namespaces -d 'List the objects of all namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -s l -l label-selector -d 'List only objects with these labels, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l no-header -d 'Leave the header out' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -l status-selector -d 'List only objects whose condition has, or with != has not, this status' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -s w -l watch -d 'Go on listing what changes' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from receivers" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -s A -l all-namespaces -d 'List the objects of all namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -s l -l label-selector -d 'List only objects with these labels, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l no-header -d 'Leave the header out' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -l status-selector -d 'List only objects whose condition has, or with != has not, this status' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -s w -l watch -d 'Go on listing what changes' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alert-providers" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -s A -l all-namespaces -d 'List the objects of all namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -s l -l label-selector -d 'List only objects with these labels, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l no-header -d 'Leave the header out' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -l status-selector -d 'List only objects whose condition has, or with != has not, this status' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -s w -l watch -d 'Go on listing what changes' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from alerts" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -s A -l all-namespaces -d 'List the objects of all namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -s l -l label-selector -d 'List only objects with these labels, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l no-header -d 'Leave the header out' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -l status-selector -d 'List only objects whose condition has, or with != has not, this status' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -s w -l watch -d 'Go on listing what changes' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from artifacts" -f -a "generators" -d 'List ArtifactGenerator objects'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -s A -l all-namespaces -d 'List the objects of all namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -s l -l label-selector -d 'List only objects with these labels, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l no-header -d 'Leave the header out' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -l status-selector -d 'List only objects whose condition has, or with != has not, this status' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -s w -l watch -d 'Go on listing what changes' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from all" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -s A -l all-namespaces -d 'List the objects of all namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -s l -l label-selector -d 'List only objects with these labels, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l no-header -d 'Leave the header out' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -l status-selector -d 'List only objects whose condition has, or with != has not, this status' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -s w -l watch -d 'Go on listing what changes' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -f -a "oci" -d 'List OCIRepository objects'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -f -a "bucket" -d 'List Bucket objects'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -f -a "git" -d 'List GitRepository objects'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -f -a "helm" -d 'List HelmRepository objects'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -f -a "chart" -d 'List HelmChart objects'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -f -a "external" -d 'List ExternalArtifact objects'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from sources" -f -a "all" -d 'List every source'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -s A -l all-namespaces -d 'List the objects of all namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -s l -l label-selector -d 'List only objects with these labels, as KEY=VALUE,…' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l no-header -d 'Leave the header out' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -l status-selector -d 'List only objects whose condition has, or with != has not, this status' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -s w -l watch -d 'Go on listing what changes' -r
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -f -a "repository" -d 'List ImageRepository objects'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -f -a "policy" -d 'List ImagePolicy objects'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -f -a "update" -d 'List ImageUpdateAutomation objects'
complete -c flux -n "__fish_flux_using_subcommand get; and __fish_seen_subcommand_from images" -f -a "all" -d 'List every image automation object'
complete -c flux -n "__fish_flux_using_subcommand install" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand install" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand install" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand install" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand install" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand install" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l cluster-domain -d 'Domain of the cluster\'s own names' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l components -d 'Controllers to install' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l components-extra -d 'Controllers to install as well' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l export -d 'Print the manifests and change nothing' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l force -d 'Install even where the cluster is managed from Git' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l image-pull-secret -d 'Secret with the registry\'s credentials' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l log-level -d 'Log level of the controllers' -r -f -a "debug\t''
info\t''
error\t''"
complete -c flux -n "__fish_flux_using_subcommand install" -l network-policy -d 'Let only what needs to reach the controllers' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l registry -d 'What stands before the images\' names' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l toleration-keys -d 'Taints that the controllers tolerate' -r
complete -c flux -n "__fish_flux_using_subcommand install" -s v -l version -d 'Version of the images (default: this binary\'s)' -r
complete -c flux -n "__fish_flux_using_subcommand install" -l watch-all-namespaces -d 'Reconcile the objects of all namespaces, not only of the controllers\' own' -r
complete -c flux -n "__fish_flux_using_subcommand install" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand list; and not __fish_seen_subcommand_from artifacts" -f -a "artifacts" -d 'List the artifacts of a repository'
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l filter-semver -d 'Only tags in this range of versions' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l filter-regex -d 'Only tags that this regular expression matches' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l creds -d 'Credentials as USER:PASSWORD, or a token' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l provider -d 'Cloud that gives the credentials' -r -f -a "generic\t''
aws\t''
azure\t''
gcp\t''"
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l insecure-registry -d 'Take plain HTTP, and certificates unseen' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand list; and __fish_seen_subcommand_from artifacts" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand logs" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand logs" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand logs" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand logs" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand logs" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand logs" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -s A -l all-namespaces -d 'Show lines about the objects of all namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l flux-namespace -d 'Namespace that the controllers run in' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -s f -l follow -d 'Go on showing lines as they are written' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l kind -d 'Show only lines about this kind' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l level -d 'Show only lines of this level' -r -f -a "debug\t''
info\t''
error\t''"
complete -c flux -n "__fish_flux_using_subcommand logs" -l name -d 'Show only lines about the object of this name' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l since -d 'Show only lines younger than this' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l since-time -d 'Show only lines written after this time, as RFC 3339' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -l tail -d 'How many of the newest lines of each pod to show; all with -1' -r
complete -c flux -n "__fish_flux_using_subcommand logs" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand pull; and not __fish_seen_subcommand_from artifact" -f -a "artifact" -d 'Pull an artifact and extract its content'
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -s o -l output -d 'Directory to extract to' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l creds -d 'Credentials as USER:PASSWORD, or a token' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l provider -d 'Cloud that gives the credentials' -r -f -a "generic\t''
aws\t''
azure\t''
gcp\t''"
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l insecure-registry -d 'Take plain HTTP, and certificates unseen' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand pull; and __fish_seen_subcommand_from artifact" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand push; and not __fish_seen_subcommand_from artifact" -f -a "artifact" -d 'Push manifests as an artifact to a container registry'
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -s f -l path -d 'Directory, file, or - for standard input' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l source -d 'Address of what the content was made from, such as a Git URL' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l revision -d 'Revision of that, as BRANCH@sha1:COMMIT' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l creds -d 'Credentials as USER:PASSWORD, or a token' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l provider -d 'Cloud that gives the credentials' -r -f -a "generic\t''
aws\t''
azure\t''
gcp\t''"
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l add-ignore-paths -d 'Paths to leave out in addition, in .gitignore\'s language' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l ignore-paths -d 'Paths to leave out, in .gitignore\'s language' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -s a -l annotations -d 'Annotation as KEY=VALUE, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -s o -l output -d 'Print where the artifact is in this format, and nothing else' -r -f -a "yaml\t''
json\t''"
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l debug -d 'Accepted for scripts written for Flux: failures are always told in full' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l reproducible -d 'Leave the time out, so that equal content has an equal digest' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l insecure-registry -d 'Take plain HTTP, and certificates unseen' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l resolve-symlinks -d 'Pack what symbolic links lead to in their place' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand push; and __fish_seen_subcommand_from artifact" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -f -a "helmrelease" -d 'Reconcile a HelmRelease object'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -f -a "kustomization" -d 'Reconcile a Kustomization object'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -f -a "receiver" -d 'Reconcile a Receiver object'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -f -a "image" -d 'Image automation objects'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and not __fish_seen_subcommand_from helmrelease kustomization receiver image source" -f -a "source" -d 'Sources of desired state'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l with-source -d 'Reconcile the object\'s source first' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l force -d 'Install or upgrade once, whatever the state' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l reset -d 'Forget the failures counted so far' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from helmrelease" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l with-source -d 'Reconcile the object\'s source first' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from kustomization" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from receiver" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -f -a "repository" -d 'Reconcile a ImageRepository object'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -f -a "policy" -d 'Reconcile a ImagePolicy object'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from image" -f -a "update" -d 'Reconcile a ImageUpdateAutomation object'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -f -a "oci" -d 'Reconcile a OCIRepository object'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -f -a "bucket" -d 'Reconcile a Bucket object'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -f -a "git" -d 'Reconcile a GitRepository object'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -f -a "helm" -d 'Reconcile a HelmRepository object'
complete -c flux -n "__fish_flux_using_subcommand reconcile; and __fish_seen_subcommand_from source" -f -a "chart" -d 'Reconcile a HelmChart object'
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l all -d 'Resume every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l wait -d 'Wait for every resumed object to be reconciled' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "helmrelease" -d 'Resume reconciliation of HelmRelease objects'
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "kustomization" -d 'Resume reconciliation of Kustomization objects'
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "receiver" -d 'Resume reconciliation of Receiver objects'
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "alert-provider" -d 'Resume reconciliation of Provider objects'
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "alert" -d 'Resume reconciliation of Alert objects'
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "image" -d 'Image automation objects'
complete -c flux -n "__fish_flux_using_subcommand resume; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "source" -d 'Sources of desired state'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l all -d 'Resume every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -l wait -d 'Wait for every resumed object to be reconciled' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from helmrelease" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l all -d 'Resume every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -l wait -d 'Wait for every resumed object to be reconciled' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from kustomization" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l all -d 'Resume every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -l wait -d 'Wait for every resumed object to be reconciled' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from receiver" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l all -d 'Resume every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -l wait -d 'Wait for every resumed object to be reconciled' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert-provider" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l all -d 'Resume every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -l wait -d 'Wait for every resumed object to be reconciled' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from alert" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l all -d 'Resume every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -l wait -d 'Wait for every resumed object to be reconciled' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -f -a "repository" -d 'Resume reconciliation of ImageRepository objects'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -f -a "policy" -d 'Resume reconciliation of ImagePolicy objects'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from image" -f -a "update" -d 'Resume reconciliation of ImageUpdateAutomation objects'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l all -d 'Resume every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -l wait -d 'Wait for every resumed object to be reconciled' -r
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -f -a "oci" -d 'Resume reconciliation of OCIRepository objects'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -f -a "bucket" -d 'Resume reconciliation of Bucket objects'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -f -a "git" -d 'Resume reconciliation of GitRepository objects'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -f -a "helm" -d 'Resume reconciliation of HelmRepository objects'
complete -c flux -n "__fish_flux_using_subcommand resume; and __fish_seen_subcommand_from source" -f -a "chart" -d 'Resume reconciliation of HelmChart objects'
complete -c flux -n "__fish_flux_using_subcommand stats" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand stats" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand stats" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand stats" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand stats" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand stats" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -s A -l all-namespaces -d 'Count the objects of all namespaces' -r
complete -c flux -n "__fish_flux_using_subcommand stats" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -l all -d 'Suspend every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "helmrelease" -d 'Suspend reconciliation of HelmRelease objects'
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "kustomization" -d 'Suspend reconciliation of Kustomization objects'
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "receiver" -d 'Suspend reconciliation of Receiver objects'
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "alert-provider" -d 'Suspend reconciliation of Provider objects'
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "alert" -d 'Suspend reconciliation of Alert objects'
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "image" -d 'Image automation objects'
complete -c flux -n "__fish_flux_using_subcommand suspend; and not __fish_seen_subcommand_from helmrelease kustomization receiver alert-provider alert image source" -f -a "source" -d 'Sources of desired state'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -l all -d 'Suspend every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from helmrelease" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -l all -d 'Suspend every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from kustomization" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -l all -d 'Suspend every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from receiver" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -l all -d 'Suspend every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert-provider" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -l all -d 'Suspend every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from alert" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -l all -d 'Suspend every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -f -a "repository" -d 'Suspend reconciliation of ImageRepository objects'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -f -a "policy" -d 'Suspend reconciliation of ImagePolicy objects'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from image" -f -a "update" -d 'Suspend reconciliation of ImageUpdateAutomation objects'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -l all -d 'Suspend every object of the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -f -a "oci" -d 'Suspend reconciliation of OCIRepository objects'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -f -a "bucket" -d 'Suspend reconciliation of Bucket objects'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -f -a "git" -d 'Suspend reconciliation of GitRepository objects'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -f -a "helm" -d 'Suspend reconciliation of HelmRepository objects'
complete -c flux -n "__fish_flux_using_subcommand suspend; and __fish_seen_subcommand_from source" -f -a "chart" -d 'Suspend reconciliation of HelmChart objects'
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand tag; and not __fish_seen_subcommand_from artifact" -f -a "artifact" -d 'Give an artifact more tags'
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l tag -d 'Tag to give it, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l creds -d 'Credentials as USER:PASSWORD, or a token' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l provider -d 'Cloud that gives the credentials' -r -f -a "generic\t''
aws\t''
azure\t''
gcp\t''"
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand tag; and __fish_seen_subcommand_from artifact" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand trace" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand trace" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand trace" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand trace" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand trace" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand trace" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l api-version -d 'API version of the object, such as apps/v1' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -l kind -d 'Kind of the object, such as Deployment' -r
complete -c flux -n "__fish_flux_using_subcommand trace" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand tree; and not __fish_seen_subcommand_from kustomization" -f -a "kustomization" -d 'Print the objects that a Kustomization applied'
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l compact -d 'Show Flux\'s own objects only' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l depth -d 'How many levels are shown below the Kustomization' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -s o -l output -d 'Format of the output' -r -f -a "yaml\t''
json\t''"
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l pods -d 'Show what workloads made, down to their Pods' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l status -d 'Show how each object fares' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand tree; and __fish_seen_subcommand_from kustomization" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand uninstall" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l dry-run -d 'Show what would be deleted, and delete nothing' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -l keep-namespace -d 'Leave the namespace' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -s s -l silent -d 'Do not ask' -r
complete -c flux -n "__fish_flux_using_subcommand uninstall" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand version" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand version" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand version" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand version" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand version" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand version" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand version" -l client -d 'Print the client\'s version only, without asking a cluster' -r
complete -c flux -n "__fish_flux_using_subcommand version" -s o -l output -d 'Format of the output' -r -f -a "yaml\t''
json\t''"
complete -c flux -n "__fish_flux_using_subcommand version" -s h -l help -d 'Print help'
complete -c flux -n "__fish_flux_using_subcommand why" -l as -d 'Username to impersonate for the operation: a user, or a service account in the form system:serviceaccount:NAMESPACE:NAME' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l as-group -d 'Group to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l as-uid -d 'UID to impersonate for the operation' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l as-user-extra -d 'Extra field KEY=VALUE to impersonate for the operation, may be given several times' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l cache-dir -d 'Directory for caches' -r -F
complete -c flux -n "__fish_flux_using_subcommand why" -l certificate-authority -d 'File with the authority that signed the API server\'s certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand why" -l client-certificate -d 'File with a client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand why" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c flux -n "__fish_flux_using_subcommand why" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l context -d 'Context of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l disable-compression -d 'Ask the server not to compress its answers' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l insecure-skip-tls-verify -d 'Do not check the API server\'s certificate: the connection can be read and changed by others' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l kube-api-burst -d 'Most requests to the API server at once' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l kube-api-qps -d 'Most requests to the API server per second, over time' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l kubeconfig -d 'File with the cluster\'s address and credentials' -r -F
complete -c flux -n "__fish_flux_using_subcommand why" -s n -l namespace -d 'Namespace of the objects' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l ns-follows-kube-context -d 'Take the namespace from the kubeconfig\'s context' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l server -d 'Address of the API server' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l timeout -d 'How long the whole operation may take' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l tls-server-name -d 'Name to expect in the API server\'s certificate' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l token -d 'Bearer token for the API server' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l user -d 'User of the kubeconfig to use' -r
complete -c flux -n "__fish_flux_using_subcommand why" -l verbose -d 'Print the generated objects while working' -r
complete -c flux -n "__fish_flux_using_subcommand why" -s o -l output -d 'Format of the output' -r -f -a "yaml\t''
json\t''"
complete -c flux -n "__fish_flux_using_subcommand why" -s h -l help -d 'Print help'
